// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// The help pages of the built executable, compared exactly with the texts in Tests/Expected/help, for 80 columns. `make
/// expected-help` writes them anew.
@Suite struct HelpPageTests {
  private static let commandNames = RawAudio.program.commands.map { $0.name }
  private static let topicNames = RawAudio.program.topics.map(\.name)

  private func expected(_ page: String) throws -> String {
    try Package.text("Tests/Expected/help/\(page).txt")
  }

  @Test(arguments: commandNames)
  func pages(_ command: String) throws {
    for arguments in [["help", command], [command, "--help"]] {
      let run = try runCommand(arguments[0], arguments[1])
      #expect(try run.outputText == expected(command))
      run.expectExit(0)
    }
  }

  /// The page of `-h` fits a terminal.
  @Test(arguments: commandNames)
  func screens(_ command: String) throws {
    let run = try runCommand(command, "-h")
    #expect(try run.outputText == expected("\(command)-h"))
    run.expectExit(0)
    let lines = run.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let type = try #require(RawAudio.program.commands.first { $0.name == command })
    let names = type.usual.split(separator: " ").map(String.init)
    #expect(type.declarations.options(named: type.usual).map(\.name) == names)
    #expect(names.isEmpty || (8...10).contains(names.count))
    // A short page is whole. One line is the end behind the last line break.
    #expect(lines.count <= (names.isEmpty ? 35 : 25))
  }

  /// Each option that a topic lists exists.
  @Test(arguments: topicNames)
  func optionsOfTopics(_ name: String) throws {
    let topic = try #require(RawAudio.program.topics.first { $0.name == name })
    let listed = topic.sections().flatMap(\.options).map(\.name)
    #expect(listed == topic.options.flatMap { $0.value.split(separator: " ").map(String.init) })
  }

  @Test(arguments: topicNames)
  func topics(_ topic: String) throws {
    let run = try runCommand("help", topic)
    #expect(try run.outputText == expected(topic))
    #expect(run.ending == .exit(0))
  }

  @Test(.needsReleaseBuild) func makeWritesThemAnew() throws {
    let directory = TemporaryDirectory()
    try runPipeline(
      "unset MAKEFLAGS MAKELEVEL; make -s -C '\(Package.folder.path)' BUILT=1 expected-help"
        + " EXPECTED_HELP='\(directory.url.path)'"
    ).requireSuccess()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    let commands = Self.commandNames + ["rawaudio"]
    let pages = commands + Self.topicNames + commands.map { "\($0)-h" }
    #expect(names.sorted() == pages.map { "\($0).txt" }.sorted())
    let folder = Package.folder.appending(path: "Tests/Expected/help")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names.sorted())
    for page in pages {
      #expect(try String(decoding: directory.bytes("\(page).txt"), as: UTF8.self) == expected(page))
    }
  }

  @Test func aMistypedTopicIsGuessed() throws {
    try runCommand("help", "encodngs")
      .expectUsageError("Unknown subcommand 'encodngs'. Did you mean 'encodings'?", of: nil)
  }

  /// Options, and other programs' words, lead to the topic or to the options that do the work.
  @Test(arguments: [
    ("encoding", "encodings"), ("reverb", "effects"), ("film", "video"), ("chapter", "chapters"),
  ])
  func otherWordsForTopics(_ word: String, _ topic: String) throws {
    let run = try runCommand("help", word)
    #expect(try run.outputText == expected(topic))
    run.expectExit(0)
  }

  @Test(arguments: [
    (
      "trim", "trim: to cut is --start TIME and --end TIME.", "convert",
      ["    --start <time>", "    --end <time>"]
    ),
    (
      "fade", "fade: that is --fade-in TIME and --fade-out TIME.", "convert",
      ["    --fade-in <time>", "    --fade-out <time>"]
    ),
    (
      "gain", "--gain is an option of capture, play, mix, concat and convert.", "convert",
      ["    --gain <db>"]
    ),
    ("device", "--device is an option of capture and play.", "capture", ["-D, --device <name>"]),
  ])
  func wordsForOptions(
    _ word: String, _ overview: String, _ command: String, _ options: [String]
  ) throws {
    let run = try runCommand("help", word)
    run.expectExit(0)
    let lines = run.outputText.split(separator: "\n").map(String.init)
    #expect(lines.prefix(2) == ["OVERVIEW: \(overview)", "OPTIONS OF \(command):"])
    #expect(lines.dropFirst(2).count == options.count)
    for (line, option) in zip(lines.dropFirst(2), options) {
      #expect(line.hasPrefix("  \(option)"), "\(line)")
    }
  }

  @Test func noLineIsLongerThanATerminal() {
    let program = RawAudio.program
    let pages =
      [program.page(width: 80), program.screen(width: 80)]
      + program.commands.map { HelpPage(of: $0).text(width: 80) }
      + program.topics.map { $0.text(width: 80) }
    for page in pages {
      for line in page.split(separator: "\n") where line.count > 80 {
        Issue.record("\(line)")
      }
    }
  }

  @Test func rootPage() throws {
    for run in [try runCommand("help"), try runCommand("--help")] {
      #expect(try run.outputText == expected("rawaudio"))
      run.expectExit(0)
    }
    for run in [try runCommand(), try runCommand("-h")] {
      #expect(try run.outputText == expected("rawaudio-h"))
      run.expectExit(0)
    }
  }

  @Test func pagesFollowTheWidthAskedFor() throws {
    let run = try runCommand("help", "mix", environment: ["COLUMNS": "120"])
    #expect(run.outputText == HelpPage(of: MixCommand.self).text(width: 120))
    let narrow = try runCommand("help", "mix", environment: ["COLUMNS": "3"])
    #expect(narrow.outputText == HelpPage(of: MixCommand.self).text(width: 40))
  }

  /// A text is cut at the end of a clause, and not within a list or a parenthesis.
  @Test(arguments: [
    (
      "Where to write: a path, - for standard output.", 60,
      "Where to write: a path, - for standard output."
    ),
    ("Where to write: a path, - for standard output.", 30, "Where to write."),
    ("Cut sound (12 dB an octave; or more).", 30, "Cut sound."),
    ("How they go: linear, sine (as a curve), or none; as asked.", 45, "How they go."),
    ("Not one end of a clause is in here at all", 30, "Not one end of a clause is ..."),
    ("Add silence, also in front of it all", 20, "Add silence ..."),
  ])
  func texts(_ text: String, _ count: Int, _ expected: String) {
    #expect(text.shortened(to: count) == expected)
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
