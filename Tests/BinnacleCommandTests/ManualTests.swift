import BinnacleDaemon
import Bytes
import Glibc
import LinuxIO
import Testing

@testable import BinnacleCommand

@Suite("Manual") struct ManualTests {
  private static func page(_ name: String) throws -> String {
    try #require(Manual.documents.first { $0.name == name }).text()
  }

  @Test("each command has a page with all its options, and a line in the program's")
  func options() throws {
    let overview = try Self.page("binnacle.1")
    for subcommand in Subcommand.all {
      let page = try Self.page("binnacle-\(subcommand.name).1")
      for option in subcommand.options {
        let name = RoffPage.escaped("--\(option.name)")
        #expect(page.holds("\\fB\(name)\\fR"), "\(subcommand.name) --\(option.name)")
      }
      #expect(overview.holds("binnacle\\-\(RoffPage.escaped(subcommand.name))\\fR(1)"))
    }
  }

  @Test("the configuration's page has every key, and its example is valid")
  func configuration() throws {
    let page = try Self.page("binnacle.conf.5")
    for table in Configuration.sections.values {
      for key in table.keys { #expect(page.holds(RoffPage.bold(key.name)), "\(key.name)") }
    }
    _ = try Configuration(Self.page("binnacle.conf"), path: "example")
  }

  @Test("completions know each command and option")
  func completions() throws {
    for name in ["binnacle.bash", "_binnacle", "binnacle.fish"] {
      let script = try Self.page(name)
      for subcommand in Subcommand.all {
        #expect(script.holds(subcommand.name), "\(name): \(subcommand.name)")
        for option in subcommand.options {
          let form = name == "binnacle.fish" ? "-l \(option.name)" : "--\(option.name)"
          #expect(script.holds(form), "\(name): \(subcommand.name) --\(option.name)")
        }
      }
    }
  }

  @Test("pages and scripts are free of errors, by the programs that read them")
  func lint() throws {
    // Its folder goes when it goes.
    let machine = try #require(StagedMachine())
    let folder = machine.root
    defer { withExtendedLifetime(machine) {} }
    let all = try #require(ChildProgram(binnacle: ["manual", "--output", folder]))
    #expect(all.wait() == 0)
    let lines = [
      "command -v mandoc >/dev/null || exit 0; mandoc -T lint -W error \(folder)/*.[15]",
      "command -v man >/dev/null || exit 0; for page in \(folder)/*.[15]; do "
        + "man --warnings -l $page 2>&1 >/dev/null | grep . && exit 1; done; exit 0",
      "bash -n \(folder)/binnacle.bash",
      "command -v zsh >/dev/null || exit 0; zsh -n \(folder)/_binnacle",
      "command -v fish >/dev/null || exit 0; fish -n \(folder)/binnacle.fish",
      // As a shell would ask for what follows 'binnacle log-dump --format '.
      ". \(folder)/binnacle.bash; COMP_WORDS=(binnacle log-dump --format ''); COMP_CWORD=3; "
        + "_binnacle; case \" ${COMPREPLY[*]} \" in *' gpx '*) exit 0 ;; *) exit 1 ;; esac",
      // And what follows 'binnacle regions re'.
      ". \(folder)/binnacle.bash; COMP_WORDS=(binnacle regions re); COMP_CWORD=2; "
        + "_binnacle; [ \"${COMPREPLY[*]}\" = remove ]",
      "command -v fish >/dev/null || exit 0; [ \"$(fish -c 'source \(folder)/binnacle.fish; "
        + "complete -C \"binnacle regions re\"')\" = remove ]",
    ]
    for line in lines {
      let program = try #require(ChildProgram(["bash", "-c", line]))
      var said = ""
      while let text = program.nextLine() { said += text + "\n" }
      #expect(program.wait() == 0, "\(line)\n\(said)")
    }
  }
}
