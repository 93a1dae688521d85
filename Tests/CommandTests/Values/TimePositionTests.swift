import AudioCore
import Testing

@testable import rawaudio

@Suite struct TimePositionTests {
  @Test(arguments: [
    ("0", 44_100, 0), ("5", 44_100, 220_500), ("1:30", 1_000, 90_000),
    ("1:00:00", 8_000, 28_800_000),
    ("90", 1_000, 90_000), ("100:00", 1_000, 6_000_000), ("0.5", 44_100, 22_050),
    (".5", 48_000, 24_000),
    ("1:30.25", 16_000, 1_444_000), ("44100s", 48_000, 44_100), ("0s", 48_000, 0),
    // 0.1 × 44100 is 4410 exactly; 0.00001 × 44100 = 0.441; 0.0000125 × 44100 = 0.55125.
    ("0.1", 44_100, 4_410), ("0.00001", 44_100, 0), ("0.0000125", 44_100, 1),
    // Halves round up: 0.0005 × 1000 = 0.5, 2.0015 × 1000 = 2001.5.
    ("0.0005", 1_000, 1), ("0.000499999999999999", 1_000, 0), ("2.0015", 1_000, 2_002),
    // In binary floating point 4.35 × 100 000 is 434999.99999999994.
    ("4.35", 100_000, 435_000), ("0.999999999999999999", 768_000, 768_000),
    ("1.10000000000000000000000", 10_000, 11_000),
    ("1000000000000", 768_000, 768_000_000_000_000_000),
  ])
  func samples(_ text: String, _ rate: Int, _ expected: Int64) throws {
    #expect(try TimePosition(text).samples(at: rate) == expected)
  }

  @Test(arguments: [
    "", ".", "1.", "-1", "1e3", "1:", ":1", "1:60", "1:75:00", "1:2:3:4", "1s2", "s", "1.5s",
    "1:30s",
    "+1", "0x10", "1000000000001", "99999999999999999999", "1.2.3", "1.0000000000000000001", "a",
  ])
  func noTimes(_ text: String) {
    #expect(rejection(of: text, by: .time) != nil)
  }

  @Test func lengthsAreAboveZero() throws {
    #expect(rejection(of: "0", by: .length) == "it must be above 0")
    #expect(rejection(of: "0.000", by: .length) == "it must be above 0")
    #expect(rejection(of: "0s", by: .length) == "it must be above 0")
    #expect(rejection(of: "-5", by: .length) == "it must not be negative")
    #expect(rejection(of: "0.001", by: .length) == nil)
  }
}
