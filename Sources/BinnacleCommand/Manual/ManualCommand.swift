import Bytes
import LinuxIO

extension Subcommand {
  static let manual = Subcommand(
    name: "manual", summary: "Write the manual pages and the shells' completions",
    operands: "[NAME]",
    details: """
      Prints one document of those that are made from the option tables, or writes them
      all into a folder, as packages do: a manual page for the program and each command,
      binnacle.conf(5) with an example, and completions for bash, zsh and fish. Without
      NAME it lists their names.
      """,
    options: [Option("output", "DIR", help: "Write all of them into DIR, which must exist")],
    examples: [
      ("binnacle manual binnacle-run.1 | man -l -", "Read a page that is not installed"),
      ("source <(binnacle manual binnacle.bash)", "Complete commands in this shell"),
    ],
    run: { invocation throws(CommandError) in
      let documents = Manual.documents
      if let folder = invocation.value("output") {
        try invocation.expectNoOperands()
        for document in documents {
          try write(document.text(), to: "\(folder)/\(document.name)")
        }
        return .ok
      }
      guard let name = invocation.operands.first else {
        try write(documents.map { $0.name + "\n" }.joined(), to: "-")
        return .ok
      }
      guard let document = documents.first(where: { $0.name == name }) else {
        throw .nothingFound("\(name): no such document; 'binnacle manual' lists them")
      }
      try write(document.text(), to: "-")
      return .ok
    })

  private static func write(_ text: String, to path: String) throws(CommandError) {
    var buffer = OutputBuffer()
    buffer.append(text: text)
    do throws(Errno) {
      let file = try OutputFile(path: path)
      try file.write(buffer)
      try file.finish()
    } catch {
      throw .failed("\(path): \(error.text)")
    }
  }
}
