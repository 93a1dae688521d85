// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

@Suite struct DeviceRhythmTests {
  private func rhythm(
    _ milliseconds: Int?, period: Int, buffer: Int, rate: Int = 48_000
  ) throws -> DeviceRhythm {
    DeviceRhythm(
      milliseconds.map { .milliseconds($0) },
      AlsaParameters(
        format: try StreamFormat(sampleRate: rate, channelCount: 2),
        layout: try #require(SampleLayout.layouts(of: .s16).first), periodSize: period,
        bufferSize: buffer))
  }

  /// Milliseconds of latency, period and buffer in samples per channel at 48 kHz, and the rest: a quarter of a second
  /// where the buffer leaves as much for being late, else what it leaves, else a period or half a buffer.
  @Test(arguments: [
    (500, 12_000, 48_000, 12_000), (500, 480, 24_000, 12_000), (500, 4_096, 16_384, 4_384),
    (500, 480, 4_800, 480), (500, 2_400, 4_800, 2_400), (500, 4_096, 4_096, 2_048),
    (100, 480, 24_000, 4_800), (300, 480, 48_000, 7_200), (1, 480, 24_000, 48),
  ])
  func restsAsLongAsTheBufferAllows(latency: Int, period: Int, buffer: Int, rest: Int) throws {
    let rhythm = try rhythm(latency, period: period, buffer: buffer)
    #expect(rhythm.rest == rest)
    #expect(rhythm.restMilliseconds == (rest * 1_000 + 47_999) / 48_000)
  }

  @Test func wakesForEachPeriodWithoutALatency() throws {
    var rhythm = try rhythm(nil, period: 480, buffer: 24_000)
    #expect(!rhythm.hasRests)
    let wakeUps = [480, 1, 2_000].map { rhythm.isWakeUpDue(after: $0) }
    #expect(wakeUps == [true, true, true])
  }

  /// The first samples at once, then half a second at a time, whether looks are a little late or early.
  @Test(arguments: [12_000, 12_011, 11_990])
  func wakesOncePerLatency(look: Int) throws {
    var rhythm = try rhythm(500, period: 480, buffer: 48_000)
    let wakeUps = (0..<9).map { _ in rhythm.isWakeUpDue(after: look) }
    #expect(wakeUps == [true, true, false, true, false, true, false, true, false])
  }
}
