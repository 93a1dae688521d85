// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The help pages of the built executable, compared exactly.
@Suite struct HelpPageTests {
  @Test(arguments: [
    ("capture", ExpectedHelp.capture), ("play", ExpectedHelp.play), ("mix", ExpectedHelp.mix),
    ("concat", ExpectedHelp.concat), ("convert", ExpectedHelp.convert),
    ("devices", ExpectedHelp.devices),
    ("info", ExpectedHelp.info), ("measure", ExpectedHelp.measure),
    ("plot", ExpectedHelp.plot), ("plugins", ExpectedHelp.plugins),
    ("session", ExpectedHelp.session),
  ])
  func pages(_ command: String, _ expected: String) throws {
    for arguments in [["help", command], [command, "--help"]] {
      let run = try runCommand(arguments[0], arguments[1])
      #expect(run.outputText == expected)
      run.expectExit(0)
    }
  }

  @Test(arguments: [
    ("formats", ExpectedHelp.formats), ("encodings", ExpectedHelp.encodings),
    ("observers", ExpectedHelp.observers), ("pieces", ExpectedHelp.pieces),
    ("times", ExpectedHelp.times),
  ])
  func topics(_ topic: String, _ expected: String) throws {
    let run = try runCommand("help", topic)
    #expect(run.outputText == expected)
    #expect(run.ending == .exit(0))
  }

  @Test func aMistypedTopicIsGuessed() throws {
    try runCommand("help", "encoding")
      .expectUsageError("Unknown subcommand 'encoding'. Did you mean 'encodings'?", of: nil)
  }

  @Test func noLineIsLongerThanATerminal() {
    let program = RawAudio.program
    let pages =
      [program.page(width: 80)] + program.commands.map { HelpPage(of: $0).text(width: 80) }
      + program.topics.map { $0.text(width: 80) }
    for page in pages {
      for line in page.split(separator: "\n") where line.count > 80 {
        Issue.record("\(line)")
      }
    }
  }

  @Test func rootPage() throws {
    for run in [try runCommand(), try runCommand("help"), try runCommand("--help")] {
      #expect(run.outputText == ExpectedHelp.root)
      run.expectExit(0)
    }
  }

  @Test func pagesFollowTheWidthAskedFor() throws {
    let run = try runCommand("help", "mix", environment: ["COLUMNS": "120"])
    #expect(run.outputText == HelpPage(of: MixCommand.self).text(width: 120))
    let narrow = try runCommand("help", "mix", environment: ["COLUMNS": "3"])
    #expect(narrow.outputText == HelpPage(of: MixCommand.self).text(width: 40))
  }

  @Test func version() throws {
    let run = try runCommand("--version")
    #expect(run.outputText == "\(RawAudio.program.version)\n")
    run.expectExit(0)
  }

  @Test func aReaderThatGoesAwayIsNoFailure() throws {
    // Descriptor 4 writes to a pipe whose only reader, descriptor 3, is closed.
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      "mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; rawaudio help mix >&4; echo $? >&2")
    #expect(run.standardError == "0\n")
  }

  @Test func aFullDiskIsAFailure() throws {
    let run = try runPipeline("rawaudio help >/dev/full")
    run.expectExit(1, "cannot write to 'standard output': no space left on device")
  }
}
