// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The completions for a started command line.
@Suite struct CompletionTests {
  private let program = RawAudio.program

  private func offers(_ words: String...) -> [Offer] { program.offers(words[...]) }

  @Test func everyCommandTopicAndOptionIsOffered() {
    let names = program.commands.map { $0.name } + ["help"]
    #expect(offers("").compactMap(\.completeWord) == names)
    #expect(
      offers("help", "").compactMap(\.completeWord)
        == program.commands.map { $0.name } + program.topics.map(\.name))
    for command in program.commands {
      let options = command.declarations.filter { !$0.isArgument }
      #expect(
        offers(command.name, "-").compactMap(\.completeWord) == options.map { "--\($0.name)" })
      for option in options where !option.choices.isEmpty {
        let values = offers(command.name, "--\(option.name)=").compactMap(\.completeWord)
        #expect(values == option.choices.map { "--\(option.name)=\($0)" })
      }
    }
  }

  /// Words are read as the parser reads them.
  @Test func theValueOfAnOptionIsKnownFromItsPlace() {
    #expect(offers("convert", "-qf", "s16b").isEmpty)
    #expect(offers("convert", "-qf", "ul") == [.word("ulaw")])
    #expect(offers("convert", "-qful") == [.word("-qfulaw")])
    #expect(offers("convert", "-f", "s16", "-t", "fla") == [.word("flac")])
    // An optional value follows only after '='.
    #expect(offers("plot", "--terminal", "bra") == [.path(behind: "")])
    #expect(offers("plot", "--terminal=bra") == [.word("--terminal=braille")])
    // No options follow '--'.
    #expect(offers("convert", "--", "--for") == [.path(behind: "")])
    #expect(
      offers("mix", "take.wav", "ton") == [
        .path(behind: ""), .beginning("tone:", about: "hertz follow"),
      ])
    #expect(offers("unknown", "x").isEmpty)
    #expect(offers("convert", "--unknown", "take").contains(.path(behind: "")))
  }

  @Test func observersAreOfferedWordByWord() {
    #expect(offers("capture", "--observe", "") == [.beginning("record:")])
    #expect(offers("session", "--observe", "").count == 5)
    #expect(
      offers("convert", "--observe", "record,rate=48000,ra").isEmpty)
    #expect(
      offers("convert", "--observe", "record,align=s")
        == [.beginning("record,align=session:"), .beginning("record,align=source:")])
    #expect(
      offers("convert", "--observe", "record:fade-in=2,eq")
        == [.word("record:fade-in=2,equal-power")])
    #expect(offers("convert", "--observe", "record:exec=so").isEmpty)
    #expect(
      offers("convert", "--observe", "record:loud")
        == [.word("record:loudness"), .beginning("record:loudness=")])
  }
}
