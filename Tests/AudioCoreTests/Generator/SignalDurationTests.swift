import Testing

@testable import AudioCore

@Suite struct SignalDurationTests {
  @Test func isRoundedToTheNearestSample() {
    let table: [(duration: SignalDuration, rate: Int, samples: Int64?)] = [
      (.unlimited, 48_000, nil), (.samplesPerChannel(17), 8_000, 17),
      (.samplesPerChannel(-3), 8_000, 0), (.seconds(2), 44_100, 88_200),
      (.seconds(1, over: 3), 44_100, 14_700), (.seconds(1, over: 3), 48_001, 16_000),
      (.seconds(2, over: 3), 8_000, 5_333), (.seconds(1, over: 2), 44_101, 22_051),
      (.seconds(36_000), 768_000, 27_648_000_000), (.seconds(0), 8_000, 0),
      (.seconds(1_000_001, over: 1_000_000), 768_000, 768_001),
      (.seconds(.max), 48_000, nil),
    ]
    for (duration, rate, samples) in table {
      #expect(duration.samplesPerChannel(at: rate) == samples, "\(duration)")
    }
  }
}
