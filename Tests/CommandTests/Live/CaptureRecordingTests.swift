// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Splitting and triggering while recording from a device, and the file after a kill.
@Suite(.needsVirtualCard) struct CaptureRecordingTests {
  @Test func partsOfALiveRecording() throws {
    let fed = DeviceBytes.noise(4 * 100_000)
    let bench = try CardBench(input: fed)
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "100000S", "--split", "0.7", "-o",
      "take-%03d.wav")
    run.expectExit(0)
    let parts = try (0..<4).map { number in
      try bench.wave("take-00\(number).wav").samples
    }
    #expect(parts.map { $0.count / 4 } == [30_870, 30_870, 30_870, 7_390])
    #expect(firstDifference(parts.flatMap { $0 }, fed) == nil)
  }

  @Test func aTriggeredRecording() throws {
    var fed = [UInt8](repeating: 0, count: 4 * 100_000)
    // The right channel of one sample is at half of full scale.
    fed[4 * 60_000 + 3] = 0x40
    let bench = try CardBench(input: fed)
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "100000S", "--threshold", "-7", "--pre-roll",
      "1000S", "--hold", "0.1", "-o", "take.wav")
    #expect(run.standardError == "")
    let take = try bench.wave("take.wav")
    #expect(take.samples == Array(fed[(4 * 59_000)..<(4 * 64_411)]))
  }

  @Test func theBeginningIsLeftOutToTheSample() throws {
    let fed = DeviceBytes.noise(4 * 50_000)
    let bench = try CardBench(input: fed)
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "--start", "0.5", "-d", "20000S", "-o", "take.wav")
    #expect(run.standardError == "")
    let take = try bench.wave("take.wav")
    #expect(firstDifference(take.samples, fed[(4 * 22_050)..<(4 * 42_050)]) == nil)
  }

  /// The device delivers its samples and stops; the file is read while the writer is idle.
  @Test(arguments: ["take.wav", "take.flac", "take.aiff"])
  func aKilledRecordingIsAValidFile(name: String) throws {
    let length = 50_000
    let bench = try CardBench(["AT_EOF": "stall"], input: DeviceBytes.noise(4 * length))
    let process = try bench.start(["capture", "-D", "card", "-r", "44100", "-o", name])
    // An incomplete last period is never read from the device, and a FLAC block may be unfinished.
    let least = length - 441 - (name.hasSuffix("flac") ? 4_096 : 0)
    var found = 0
    for _ in 0..<3_000 where found < least {
      usleep(10_000)
      let information = try runCommand("info", "--json", bench.path(name))
      let text = information.outputText
      if let range = text.firstMatch(of: /"samplesPerChannel" ?: ?(\d+)/) {
        found = Int(range.1) ?? 0
      }
    }
    #expect(process.wait(sending: SIGKILL).ending == .signal(SIGKILL))
    #expect(found >= least)
    let decoded = try bench.pipeline("rawaudio convert \(name) -t raw -f s16 -o -")
    #expect(decoded.standardError == "")
    #expect(decoded.standardOutput.count == 4 * found)
    #expect(
      try firstDifference(decoded.standardOutput, bench.bytes(of: "fed.raw").prefix(4 * found))
        == nil)
  }
}
