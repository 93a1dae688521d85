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
    #expect(lines.contains { $0.contains("dB in the last second of the loudspeaker's sound") })
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
      "echo is heard by the microphone: give it the position record"
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
