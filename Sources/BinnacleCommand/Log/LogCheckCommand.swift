import BinnacleDaemon
import Bytes
import FixLog
import GNSS
import LinuxIO

extension Subcommand {
  static let logCheck = Subcommand(
    name: "log-check", summary: "Verify the log, and say how full, how old and how worn it gets",
    details: """
      Reads every byte of the ring and checks it: superblocks, tail slots, each block and
      how it links to the next. Prints what the log holds, what is missing, the bytes for a
      fix, how long the ring remembers, and what is written to the card in a day. May run
      while the daemon logs. Exit code 1: something is damaged.

      Damaged blocks are left alone: the daemon writes over them in their turn. --repair
      restores superblocks and the length of a cut file; it never touches a valid block.
      --resize copies the log into a ring of another size, which then takes the old one's
      name. For both the daemon must not be running.
      """,
    options: [
      Option("log", "FILE", help: "The ring to check; without it \(DaemonLog.help)"),
      Option("repair", help: "Restore what can be restored, then check"),
      Option("resize", "SIZE", help: "Make it so large, such as 128 MiB, then check"),
      Option(
        "format", "FORMAT", choices: LogCheckFormat.allCases.map(\.rawValue),
        help: "How to print; without it text"),
    ],
    examples: [
      ("binnacle log-check", "See whether the log is whole, and how far back it goes"),
      ("binnacle log-check --log copy.ring --repair", "Mend a copy taken from a broken card"),
    ],
    run: { invocation throws(CommandError) in
      try invocation.expectNoOperands()
      let path = invocation.value("log") ?? DaemonLog.path
      if invocation.has("repair") { try LogRepair.repair(path) }
      if let size = invocation.value("resize") { try LogRepair.resize(path, to: size) }
      let check = try check(path)
      let format = invocation.value("format").flatMap { LogCheckFormat(rawValue: $0) } ?? .text
      var output = OutputBuffer()
      format.write(check, of: path, to: &output)
      do throws(Errno) {
        try StandardOutput.write(output)
      } catch {
        throw .failed("standard output: \(error.text)")
      }
      return check.isDamaged ? .failed : .ok
    })

  private static func check(_ path: String) throws(CommandError) -> LogCheck {
    let ring = try LogRepair.open(path, for: .reading)
    let byteCount = ring.byteCount
    var progress = Progress(name: path, byteCount: byteCount)
    defer { progress.finish() }
    var passed = 0
    do throws(LogError) {
      return try LogCheck(ring, mirror: LogRepair.mirror(of: path)) { done, total in
        let reached = Int(Double(byteCount) * Double(done) / Double(max(total, 1)))
        progress.advance(by: reached - passed)
        passed = reached
      }
    } catch {
      throw .failed(error.message(path: path))
    }
  }
}
