import BinnacleDaemon

/// The manual's pages, made from the tables of options and of the configuration.
enum Manual {
  /// A file of the manual, and what makes it.
  struct Document: Sendable {
    /// As `binnacle-run.1`.
    let name: String
    let text: @Sendable () -> String
  }

  static var documents: [Document] {
    var all = [Document(name: "binnacle.1") { overview }]
    for subcommand in Subcommand.all {
      all.append(Document(name: "binnacle-\(subcommand.name).1") { page(of: subcommand) })
    }
    all.append(Document(name: "binnacle.conf.5") { configuration })
    all.append(Document(name: "binnacle.conf") { exampleConfiguration })
    all.append(Document(name: "binnacle.bash") { Completions.bash })
    all.append(Document(name: "_binnacle") { Completions.zsh })
    all.append(Document(name: "binnacle.fish") { Completions.fish })
    return all
  }

  private static let files: [(path: String, what: String)] = [
    (Configuration.defaultPath, "the configuration; without it the defaults hold"),
    ("/var/lib/binnacle/fixes.ring", "the log"),
    ("/run/binnacle/control.sock", "where clients of the daemon connect"),
    ("/etc/udev/rules.d/65-binnacle-claims.rules", "the ports that were claimed and released"),
  ]

  private static let exitCodes = [
    "0": "done", "1": "failed", "2": "wrong usage", "3": "nothing found, or no fix in time",
  ]

  static var overview: String {
    var page = RoffPage(
      "binnacle", section: 1,
      summary: "GNSS receiver driver, location service and crash-proof track logger")
    page.heading("SYNOPSIS")
    page.synopsis("\(RoffPage.bold("binnacle")) \(RoffPage.italic("COMMAND"))")
    page.synopsis("[\\fIOPTION\\fR ...] [\\fIOPERAND\\fR ...]")
    page.heading("DESCRIPTION")
    page.paragraphs(
      """
      Plug a GNSS receiver in, and the daemon finds out what it is and how fast it talks,
      merges what it says into one fix an epoch, and keeps every fix in a file of fixed
      size that survives a power cut at any instant. Programs written for gpsd find it at
      port 2947.

      Options are written --key value or --key=value, and stand anywhere; -- ends them.
      """)
    page.heading("COMMANDS")
    for subcommand in Subcommand.all {
      page.item("\\fBbinnacle\\-\(RoffPage.escaped(subcommand.name))\\fR(1)", subcommand.summary)
    }
    page.heading("EXIT STATUS")
    for (code, meaning) in exitCodes.sorted(by: { $0.key < $1.key }) { page.item(code, meaning) }
    page.heading("FILES")
    for file in files { page.item(RoffPage.italic(file.path), file.what) }
    seeAlso(&page, ["binnacle.conf(5)", "binnacle-log(5)", "chrony.conf(5)", "gpsd(8)"])
    return page.text
  }

  static func page(of subcommand: Subcommand) -> String {
    let name = "binnacle-\(subcommand.name)"
    var page = RoffPage(name, section: 1, summary: subcommand.summary)
    page.heading("SYNOPSIS")
    let operands = subcommand.operands.isEmpty ? "" : " \(RoffPage.italic(subcommand.operands))"
    page.synopsis(
      "\\fBbinnacle \(RoffPage.escaped(subcommand.name))\\fR [\\fIOPTION\\fR ...]\(operands)")
    page.heading("DESCRIPTION")
    page.paragraphs(subcommand.details)
    page.heading("OPTIONS")
    for option in subcommand.options {
      let value = option.valueName.map { " \(RoffPage.italic($0))" } ?? ""
      page.item(RoffPage.bold("--\(option.name)") + value, Help.help(of: option) + ".")
    }
    page.item(RoffPage.bold("--help"), "Print the usage and these options.")
    if !subcommand.examples.isEmpty {
      page.heading("EXAMPLES")
      for example in subcommand.examples {
        page.paragraphs(example.does + ":")
        page.literal([example.command])
      }
    }
    seeAlso(&page, ["binnacle(1)", "binnacle.conf(5)"])
    return page.text
  }

  static var configuration: String {
    var page = RoffPage(
      "binnacle.conf", section: 5, summary: "configuration of the Binnacle daemon")
    page.heading("SYNOPSIS")
    page.synopsis(RoffPage.italic(Configuration.defaultPath))
    page.heading("DESCRIPTION")
    page.paragraphs(
      """
      Sections in brackets, and in them lines with key = value. Lines that begin with # or
      ; are comments. What is not given has its default; without the file the defaults hold.
      Unknown sections and keys are errors that name the line: try a change with
      'binnacle run --check'.
      """)
    for (name, table) in Configuration.sections.sorted(by: { $0.key < $1.key }) {
      page.heading("[\(RoffPage.escaped(name))\(table.takesName ? " \\fINAME\\fR" : "")]")
      for key in table.keys {
        page.item(
          "\(RoffPage.bold(key.name)) = \(RoffPage.italic(key.valid))",
          key.help + "." + (key.fallback.map { " Default: \($0)." } ?? ""))
      }
    }
    page.heading("EXAMPLE")
    page.literal([
      "[log]", "size = 256 MiB", "", "[receiver /dev/serial0]", "claim = yes", "baud = 9600",
    ])
    seeAlso(&page, ["binnacle(1)", "binnacle-run(1)"])
    return page.text
  }

  /// A file with every key in a comment, to start from.
  static var exampleConfiguration: String {
    var text = "# Binnacle's configuration: binnacle.conf(5). Every line here may be left out.\n"
    for (name, table) in Configuration.sections.sorted(by: { $0.key < $1.key }) {
      text += "\n\(table.takesName ? "# [\(name) /dev/serial0]" : "[\(name)]")\n"
      for key in table.keys {
        text += "# \(key.help): \(key.valid).\n# \(key.name) = \(key.fallback ?? "")\n"
      }
    }
    return text
  }

  private static func seeAlso(_ page: inout RoffPage, _ pages: [String]) {
    page.heading("SEE ALSO")
    let links = pages.map { page in
      let name = page.prefix { $0 != "(" }
      return "\(RoffPage.bold(String(name)))\(page.dropFirst(name.count))"
    }
    page.synopsis(links.joined(separator: ", "))
  }
}
