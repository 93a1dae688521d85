// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// `--config`, and `rawaudio check-config`.
@Suite struct ConfigurationFileTests {
  private let directory = TemporaryDirectory()

  private func write(_ text: String, _ name: String = "station.conf") throws -> String {
    try directory.write(Array(text.utf8), name)
    return directory.file(name).path
  }

  private func capture(_ words: String...) throws -> CaptureCommand? {
    let invocation = try RawAudio.program.parse(["capture"] + words, in: .pipe, pageWidth: 80)
    guard case .run(let command, _) = invocation else { return nil }
    return command as? CaptureCommand
  }

  private static let station = """
    # A station
    device = hw:CARD=Mic
      output=%F_%H%M%S.flac

    split = hour
    split = 2GiB
    reopen = yes
    utc = no
    on-part = rclone copy "$RAWAUDIO_PART" 'box:takes #1'   \t
    alarm-level = -50..-6\r
    gain = -3
    """

  @Test func theFileIsACommandLine() throws {
    let path = try write(Self.station)
    let fromFile = try #require(try capture("--config", path))
    let fromLine = try #require(
      try capture(
        "--device=hw:CARD=Mic", "--output=%F_%H%M%S.flac", "--split", "hour", "--split=2GiB",
        "--reopen", "--on-part", #"rclone copy "$RAWAUDIO_PART" 'box:takes #1'"#,
        "--alarm-level=-50..-6", "--gain", "-3"))
    #expect(fromFile.output == fromLine.output)
    #expect(fromFile.unattended.hooks.partCommand == fromLine.unattended.hooks.partCommand)
    #expect(fromFile.unattended.reopens)
    #expect(fromFile.unattended.alarms.level == fromLine.unattended.alarms.level)
    #expect(fromFile.gain == -3)
    #expect(fromFile.device.end == fromLine.device.end)
  }

  @Test func theCommandLineWins() throws {
    let path = try write(Self.station)
    let capture = try #require(
      try capture("--config", path, "--split", "day", "--gain=2", "--output", "%j.wav"))
    #expect(capture.gain == 2)
    // All of a repeatable option are replaced.
    #expect(capture.output.recording.limits.count == 1)
    #expect(capture.output.sink.ownPath == "%j.wav")
    #expect(capture.unattended.reopens)
    let verbose = try write("quiet = yes\n", "quiet.conf")
    guard
      case .run(_, let verbosity) = try RawAudio.program.parse(
        ["capture", "-v", "--config", verbose], in: .pipe, pageWidth: 80)
    else { return }
    // Of -q and -v the last one counts, and the file comes first.
    #expect(verbosity == .verbose)
  }

  private func refusal(_ text: String) throws -> String? {
    let path = try write(text)
    do {
      _ = try capture("--config", path)
      return nil
    } catch let error as RejectedInvocation {
      return error.error.message.replacingOccurrences(of: path, with: "station.conf")
    }
  }

  @Test func mistakesHaveTheirLine() throws {
    for (text, expected) in [
      ("# a\n\nsplt = hour\n", "station.conf:3: Unknown option 'splt'. Did you mean 'split'?"),
      ("--reopen = yes\n", "station.conf:1: Unknown option '--reopen'. Did you mean 'reopen'?"),
      ("reopen\n", "station.conf:1: A line is 'option = value', for a flag 'option = yes'"),
      ("reopen = true\n", "station.conf:1: 'reopen' is yes or no, and not 'true'"),
      ("\nsplit =\n", "station.conf:2: 'split' has no value"),
      (
        "threshold = -40\nthreshold = much\n",
        "station.conf:2: The value 'much' is invalid for '--threshold"
      ),
      (
        "output = a.wav\noutput = b.wav\n",
        "station.conf:2: 'output' is given twice, with 'a.wav' and 'b.wav'; it takes one value"
      ),
      ("config = other.conf\n", "station.conf:1: Unknown option 'config'"),
      ("help = yes\n", "station.conf:1: Unknown option 'help'"),
    ] {
      let message = try #require(try refusal(text))
      #expect(message.hasPrefix(expected.prefix(70)), "\(message)")
    }
  }

  @Test func aFileThatIsNotThere() throws {
    let message = usageMessage { () throws(UsageError) in
      _ = try ConfigurationFile.read("/none/station.conf", for: CaptureCommand.self)
    }
    #expect(message == "/none/station.conf cannot be read: no such file")
  }

  /// The configuration of docs/unattended.md, and the mistake there.
  @Test func theOneOfTheDocumentIsRight() throws {
    let page = try Package.text("docs/unattended.md")
    let section = try #require(page.components(separatedBy: "## A configuration file\n").last)
    let text = section.components(separatedBy: "```\n")[1]
    #expect(text.hasPrefix("# A station by the river\n") && text.split(separator: "\n").count > 9)
    _ = try write(text)
    let right = try directory.run("check-config", "station.conf")
    let line = try #require(section.firstMatch(of: /\$ rawaudio check-config .*\n +(.*) …\n/))
    #expect(right.outputText.hasPrefix(line.1), "\(right.outputText) \(right.standardError)")
    _ = try write(text.replacing("split = hour", with: "splt = hour"))
    let wrong = try directory.run("check-config", "station.conf")
    let mistake = try #require(section.firstMatch(of: #/ +(Error: .*)\n/#))
    #expect(wrong.standardError.hasPrefix(mistake.1), "\(wrong.standardError)")
    #expect(wrong.ending == .exit(64))
  }

  @Test func itIsChecked() throws {
    _ = try write(Self.station)
    let run = try directory.run("check-config", "station.conf")
    #expect(
      run.outputText
        == #"rawaudio capture --gain=-3 --output=%F_%H%M%S.flac --split=hour --split=2GiB"#
        + #" --on-part='rclone copy "$RAWAUDIO_PART" '\''box:takes #1'\''' --reopen"#
        + " --alarm-level=-50..-6 --device=hw:CARD=Mic\n", "\(run.outputText)")
    run.expectExit(0)
    _ = try write("output = a.wav\nhold = 3\n")
    try directory.run("check-config", "station.conf").expectUsageError(
      "station.conf: '--hold <time>' needs '--threshold <db>'", of: "check-config")
    _ = try write("remote = tone:440\nplayback = a.wav\nduration = 1\n", "session.conf")
    let session = try directory.run("check-config", "session.conf", "--for", "session")
    #expect(
      session.outputText == "rawaudio session --remote=tone:440 --playback=a.wav --duration=1\n",
      "\(session.standardError)")
    // The printed line does what the file does.
    try directory.run("session", "--config", "session.conf").expectExit(0)
    try directory.run("check-config", "session.conf").expectUsageError(
      "session.conf:1: Unknown option 'remote'", of: "check-config")
  }
}
