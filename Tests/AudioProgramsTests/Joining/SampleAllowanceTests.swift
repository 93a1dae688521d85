// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPrograms

/// The samples per second that clients may request.
@Suite struct SampleAllowanceTests {
  private let allowance = SampleAllowance(most: 96_000, advice: "ask for less")

  private func format(_ rate: Int, _ channels: Int) throws -> StreamFormat {
    try StreamFormat(sampleRate: rate, channelCount: channels)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func aClientMayAskForSoMany() throws {
    let share = try allowance.share(try format(48_000, 2), to: "join", "anna")
    #expect(allowance.inUse == 96_000)
    #expect(
      message { _ = try allowance.share(try format(48_001, 2), to: "join", "ben") }
        == "cannot join 'ben': 48001 Hz, 2 channels are 96002 samples a second, and 96000 is the most "
        + "for a client; ask for less")
    #expect(allowance.inUse == 96_000)
    withExtendedLifetime(share) {}
  }

  @Test func allOfThemMayAskForEightTimesAsMany() throws {
    var shares = try (0..<8).map { _ in
      try allowance.share(try format(96_000, 1), to: "join", "a")
    }
    #expect(
      message { _ = try allowance.share(try format(1_000, 1), to: "observe", "playback") }
        == "cannot observe 'playback': all clients together may ask for 768000 samples a second, and "
        + "1000 more are too many; ask for less")
    shares.removeLast()
    #expect(allowance.inUse == 7 * 96_000)
    shares.append(try allowance.share(try format(48_000, 2), to: "join", "b"))
    #expect(allowance.inUse == 8 * 96_000)
    shares = []
    #expect(allowance.inUse == 0)
  }

  /// The request covers the first stream of an observer; each further stream needs as much again.
  @Test func everyStreamOfAnObserverCounts() throws {
    let mono = try format(16_000, 1)
    var share: SampleShare? = try allowance.share(mono, to: "observe", "before-mixing")
    try share?.begin(mono, "anna")
    #expect(allowance.inUse == 16_000)
    try share?.begin(mono, "ben")
    #expect(allowance.inUse == 32_000)
    share?.end(mono)
    #expect(allowance.inUse == 16_000)
    share?.end(mono)
    #expect(allowance.inUse == 16_000)
    #expect(
      message { try share?.begin(try format(768_000, 1), "big") }
        == "cannot observe 'big': 768000 Hz, 1 channel are 768000 samples a second, and 96000 is the "
        + "most for a client; ask for less")
    let others = try (0..<7).map { _ in
      try allowance.share(try format(96_000, 1), to: "join", "c")
    }
    for _ in 0..<6 { try share?.begin(mono, "d") }
    #expect(allowance.inUse == 768_000)
    #expect(
      message { try share?.begin(mono, "late") }
        == "cannot observe 'late': all clients together may ask for 768000 samples a second, and 16000 "
        + "more are too many; ask for less")
    share = nil
    #expect(allowance.inUse == 7 * 96_000)
    withExtendedLifetime(others) {}
  }
}
