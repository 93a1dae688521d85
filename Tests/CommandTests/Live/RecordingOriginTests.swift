// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The date and time that a recording states.
@Suite(.needsVirtualCard) struct RecordingOriginTests {
  private struct Origin {
    var time: Date
    var history: String
  }

  /// Returns the time of the first sample, from date and time reference, read byte by byte.
  private func origin(_ file: [UInt8], rate: Double = 48_000) throws -> Origin? {
    guard let start = Data(file).range(of: Data("bext".utf8))?.lowerBound else { return nil }
    let body = Array(file[(start + 8)...])
    let reference = (0..<8).reduce(UInt64(0)) { $0 | UInt64(body[338 + $1]) << (8 * $1) }
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    let day = try #require(formatter.date(from: String(decoding: body[320..<330], as: UTF8.self)))
    let size = (0..<4).reduce(0) { $0 | Int(file[start + 4 + $1]) << (8 * $1) }
    return Origin(
      time: day.addingTimeInterval(Double(reference) / rate),
      history: String(decoding: body[602..<size], as: UTF8.self))
  }

  @Test func aRecordingSaysWhenItWasMade() throws {
    let bench = try CardBench()
    let before = Date()
    let run = try bench.run("capture", "-D", "card", "-d", "0.1", "-o", "take.wav")
    #expect(run.standardError == "")
    let origin = try #require(try origin(bench.bytes(of: "take.wav")))
    #expect(origin.time > before.addingTimeInterval(-1) && origin.time < Date())
    #expect(origin.history == "A=PCM,F=48000,W=16,M=stereo,T=rawaudio\r\n")
    _ = try bench.wave("take.wav")
    let bare = try bench.run("capture", "-D", "card", "-d", "0.1", "-o", "bare.wav", "--no-bext")
    #expect(bare.standardError == "")
    #expect(try self.origin(bench.bytes(of: "bare.wav")) == nil)
    // A container without that field is not an error.
    let raw = try bench.run(
      "capture", "-D", "card", "-d", "0.1", "-o", "take.raw", "--fail-on", "metadata")
    raw.expectExit(0)
  }

  @Test func eachPartHasItsOwnTime() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-d", "1.5", "--split", "0.5", "-o", "part-%01d.wav")
    #expect(run.standardError == "")
    let times = try (0...2).map { number in
      try #require(try origin(bench.bytes(of: "part-\(number).wav"))).time
    }
    for (one, next) in zip(times, times.dropFirst()) {
      #expect(abs(next.timeIntervalSince(one) - 0.5) < 1e-4)
    }
  }
}
