// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--observe record:echo` in sessions of files.
@Suite struct EchoTests {
  private let directory = TemporaryDirectory()

  /// A microphone that hears nothing but the loudspeaker, 50 ms later and at half its level.
  init() throws {
    var noise = Noise(83)
    let far = noise.samples(6 * 16_000, peak: 12_000)
    let near = Array(repeating: Int16(0), count: 800) + far.dropLast(800).map { $0 / 2 }
    try directory.write(WaveBytes.file(far, channelCount: 1, sampleRate: 16_000), "far.wav")
    try directory.write(WaveBytes.file(near, channelCount: 1, sampleRate: 16_000), "near.wav")
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("rawaudio \(line)")
  }

  @Test(arguments: ["record:echo", "record,residual=on,tail=100ms:echo"])
  func theLoudspeakerIsTakenOut(_ observer: String) throws {
    let run = try run(
      "session --local near.wav --remote far.wav --playback null: --publish - --json -v"
        + " --observe '\(observer)'")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let samples = WaveBytes.samples(run.standardOutput)
    #expect(samples.count == 6 * 16_000)
    let rest = samples.suffix(16_000).dropLast(400).reduce(0.0) { $0 + Double($1) * Double($1) }
    // Of an echo of 3,464; white noise is learnt slowly.
    #expect((rest / 15_600).squareRoot() < 866)
    let lines = run.standardError.split(separator: "\n")
    let events = lines.filter { $0.contains(#""event":"echo""#) }
    #expect(events.count == 2)
    #expect(events.allSatisfy { $0.contains(#""converged":true"#) })
    #expect(events.map { $0.contains(#""final":true"#) } == [false, true])
    #expect(lines.contains { $0.contains("dB in the last second of the loudspeaker's sound") })
  }

  enum Microphone: CaseIterable {
    case echo, echoAndVoice, echoThatMoves, voice, zeros
  }

  /// A note only where something is wrong, or may be: a voice as loud as the echo hides how well the canceller does.
  @Test(arguments: Microphone.allCases) func aNoteSaysWhatIsWrong(_ microphone: Microphone) throws {
    let rate = 8_000
    var noise = Noise(83)
    let far = noise.samples(30 * rate, peak: 8_000)
    let voice = noise.samples(30 * rate, peak: 4_000)
    let near = far.indices.map { index -> Int16 in
      let delay = microphone == .echoThatMoves && index > 12 * rate ? 4_000 : 400
      let echo = index < delay ? 0 : far[index - delay] / 2
      return switch microphone {
      case .echo, .echoThatMoves: echo
      case .echoAndVoice: echo + voice[index]
      case .voice: voice[index]
      case .zeros: 0
      }
    }
    try directory.write(WaveBytes.file(far, channelCount: 1, sampleRate: rate), "far.wav")
    try directory.write(WaveBytes.file(near, channelCount: 1, sampleRate: rate), "near.wav")
    let run = try run(
      "session --local near.wav --remote far.wav --playback null: --publish me.wav --observe record:echo"
    )
    #expect(run.ending == .exit(0))
    let note: String? =
      switch microphone {
      case .echo: nil
      case .echoAndVoice:
        "dB at most: a voice at the microphone hides the rest, or the tail is too short"
      case .echoThatMoves: "the echo came back: it was attenuated by"
      case .voice:
        "the echo was never attenuated by 10 dB: does the microphone hear the loudspeaker"
      case .zeros: "the microphone gave only zeros while the loudspeaker was heard: is it muted?"
      }
    let notes = run.standardError.split(separator: "\n").filter { $0.contains("record:echo") }
    #expect(notes.count == (note == nil ? 0 : 1), "\(run.standardError)")
    if let note { #expect(run.standardError.contains(note), "\(run.standardError)") }
  }

  /// A library of that name that is another one.
  @Test func aLibraryWithoutItsFunctionsIsNamed() throws {
    let run = try directory.pipeline(
      "cc -shared -o libspeexdsp.so.1 -x c /dev/null && LD_LIBRARY_PATH=. rawaudio session --local near.wav"
        + " --remote far.wav --playback null: --publish me.wav --observe record:echo")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError.contains(
        "libspeexdsp.so.1 lacks the functions for it; install it anew (on Debian libspeexdsp1)"),
      "\(run.standardError)")
  }

  @Test(arguments: [
    (
      "session --local near.wav --publish me.wav --observe record:echo",
      "this session plays nothing; 'rawaudio session' plays to '--playback' and captures from '--local'"
    ),
    (
      "convert near.wav -o me.wav --observe record:echo",
      "convert plays nothing; 'rawaudio session' plays to '--playback' and captures from '--local'"
    ),
    (
      "session --local near.wav --remote far.wav --playback null: --observe playback:echo",
      "echo is heard by the microphone; give it the position record"
    ),
    (
      "mix near.wav far.wav -o me.wav --observe playback:echo",
      "mix captures nothing; 'rawaudio session' plays to '--playback' and captures from '--local'"
    ),
    (
      "mix near.wav far.wav -o me.wav --observe record:echo",
      "mix captures nothing; 'rawaudio session' plays to '--playback' and captures from '--local'"
    ),
    (
      "session --local near.wav --remote far.wav --playback null: --observe record,tail=2s:echo",
      "a tail is 20ms to 1s"
    ),
  ])
  func itIsRefused(_ line: String, _ reason: String) throws {
    let run = try run(line)
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains(reason), "\(run.standardError)")
  }
}
