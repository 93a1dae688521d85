// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Foundation
import Testing

@testable import rawaudio

/// The observable streams of each command; errors list them.
@Suite struct ObservationSceneTests {
  private func reason(_ words: [String], of command: any Command.Type) -> String? {
    let message = command.refusal(of: words)
    guard let message, let end = message.range(of: "<observer>': ")?.upperBound else {
      return message
    }
    return String(message[end...])
  }

  @Test(arguments: [
    ("playback:meter", "convert has no position playback; it has record"),
    ("record@1:meter", "record has no source 1; it has local"),
    ("record@local:meter", nil), ("record:gain=1", nil),
  ])
  func convert(_ observer: String, _ expected: String?) {
    #expect(reason(["a.wav", "--observe", observer], of: ConvertCommand.self) == expected)
  }

  @Test func capture() {
    #expect(
      reason(["--observe", "mixed:meter"], of: CaptureCommand.self)
        == "capture has no position mixed; it has record")
  }

  @Test(
    arguments: [
      "record:meter": "mix has no position record; it has before-mixing, playback and mixed",
      "before-mixing@3:meter": "before-mixing has no source 3; it has 1 and 2",
      "before-mixing@2:gain=1": nil,
      "playback@1:meter": "playback is a sum of sources; @SOURCE goes with before-mixing",
      "mixed@1:meter": "mixed is a sum of sources; @SOURCE goes with before-mixing",
      "mixed:gain=1":
        "nothing takes the mixed stream of mix, so an observer cannot edit it; edit at before-mixing or"
        + " playback, or say mode=read-only",
      "mixed,mode=read-only:gain=1": nil,
      "mixed:tap=a.wav": nil,
      "mixed,mode=write-only:meter":
        "nothing takes the mixed stream of mix, so an observer cannot edit it; edit at before-mixing or"
        + " playback, or say mode=read-only",
      "before-mixing:tap=t.wav": "Two outputs go to 't.wav'; give each its own",
      "before-mixing:tap=t%s.wav": nil,
      "before-mixing@1:tap=t.wav": nil,
      "playback:tap=././out.wav": "Two outputs go to '././out.wav'; give each its own",
      "playback:tap=%s.xyz": "its extension names no type of sound file; end it with .wav or .flac",
      "playback:tap=%d.wav":
        "'%d' is the day of the month, and all parts of a day would have the same name; write %04d for the part's"
        + " number, or %F for the whole date",
      "playback,encoding=f32:tap=a.flac": "it holds only s8, s16, s24",
    ] as [String: String?])
  func mix(_ observer: String, _ expected: String?) {
    let words = ["a.wav", "b.wav", "-o", "out.wav", "--observe", observer]
    #expect(reason(words, of: MixCommand.self) == expected)
  }

  @Test func aPlayListIsOneSource() {
    let words = ["a.wav", "b.wav", "--observe"]
    #expect(reason(words + ["before-mixing@1:meter"], of: PlayCommand.self) == nil)
    #expect(
      reason(words + ["before-mixing@2:meter"], of: PlayCommand.self)
        == "before-mixing has no source 2; it has 1")
  }

  @Test func longListsAreCut() {
    let words = Array(repeating: "a.wav", count: 200) + ["--observe", "before-mixing@x:meter"]
    #expect(
      reason(words, of: MixCommand.self)
        == "before-mixing has no source x; it has 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 190 more")
  }

  @Test func standardOutputIsForOne() {
    #expect(
      reason(["a.wav", "--observe", "record:events=-"], of: ConvertCommand.self)
        == "Two outputs go to 'standard output'; give each its own")
    #expect(
      reason(["a.wav", "-o", "b.wav", "--observe", "record:events=-"], of: ConvertCommand.self)
        == nil)
  }
}
