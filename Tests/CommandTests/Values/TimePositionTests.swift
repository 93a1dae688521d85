// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import rawaudio

@Suite struct TimePositionTests {
  @Test(arguments: [
    ("0", 44_100, 0), ("5", 44_100, 220_500), ("1:30", 1_000, 90_000),
    ("1:00:00", 8_000, 28_800_000),
    ("90", 1_000, 90_000), ("100:00", 1_000, 6_000_000), ("0.5", 44_100, 22_050),
    (".5", 48_000, 24_000),
    ("1:30.25", 16_000, 1_444_000), ("44100S", 48_000, 44_100), ("0samples", 48_000, 0),
    // 0.1 × 44100 is 4410 exactly; 0.00001 × 44100 = 0.441; 0.0000125 × 44100 = 0.55125.
    ("0.1", 44_100, 4_410), ("0.00001", 44_100, 0), ("0.0000125", 44_100, 1),
    // Halves round up: 0.0005 × 1000 = 0.5, 2.0015 × 1000 = 2001.5.
    ("0.0005", 1_000, 1), ("0.000499999999999999", 1_000, 0), ("2.0015", 1_000, 2_002),
    // In binary floating point 4.35 × 100 000 is 434999.99999999994.
    ("4.35", 100_000, 435_000), ("0.999999999999999999", 768_000, 768_000),
    ("1.10000000000000000000000", 10_000, 11_000),
    ("1000000000000", 768_000, 768_000_000_000_000_000),
    // A number with a unit is a time, at any rate.
    ("2s", 44_100, 88_200), ("88200samples", 8_000, 88_200), ("500ms", 44_100, 22_050),
    ("2m", 8_000, 960_000), ("2min", 8_000, 960_000), ("1h", 1_000, 3_600_000),
    ("1h2m3s4ms", 1_000, 3_723_004), ("1m30.25s", 16_000, 1_444_000), (".5s", 48_000, 24_000),
    ("1.5m", 1_000, 90_000), ("0.1h", 1_000, 360_000), ("5sec", 1_000, 5_000),
    // 0.01 ms × 44100 Hz = 0.441; 0.0125 ms × 44100 Hz = 0.55125; 4.35 ms × 100 kHz = 435.
    ("0.01ms", 44_100, 0), ("0.0125ms", 44_100, 1), ("4.35ms", 100_000, 435),
    ("0.000000000000001ms", 768_000, 0),
    ("0.999999999999999999s", 768_000, 768_000),
    ("1000000000000s", 768_000, 768_000_000_000_000_000),
  ])
  func samples(_ text: String, _ rate: Int, _ expected: Int64) throws {
    #expect(try TimePosition(text).samples(at: rate) == expected)
  }

  @Test(arguments: [
    "", ".", "1.", "-1", "1e3", "1:", ":1", "1:60", "1:75:00", "1:2:3:4", "1s2", "s", "S",
    "1:30s", "1:30S", "1.5S", "2 s", "-2s", "1s1s", "1s2m", "1ms2s", "2x", "5M", "2H", "1m30",
    "samples",
    "2Samples", ".s", "1.s", "0.0000000000000001ms", "1000000000001s", "300000000h",
    "99999999999999999999h", "2\u{301}s",
    "+1", "0x10", "1000000000001", "99999999999999999999", "1.2.3", "1.0000000000000000001", "a",
  ])
  func noTimes(_ text: String) {
    #expect(rejection(of: text, by: .time) != nil)
  }

  @Test func lengthsAreAboveZero() throws {
    #expect(rejection(of: "0", by: .length) == "it must be above 0")
    #expect(rejection(of: "0.000", by: .length) == "it must be above 0")
    #expect(rejection(of: "0ms", by: .length) == "it must be above 0")
    #expect(rejection(of: "-5", by: .length) == "it must not be negative")
    #expect(rejection(of: "0.001", by: .length) == nil)
    #expect(rejection(of: "0S", by: .length) == "it must be above 0")
  }
}
