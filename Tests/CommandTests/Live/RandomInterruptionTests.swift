// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Recordings ended at random moments: the files are valid and hold only recorded samples.
///
/// `RAWAUDIO_INTERRUPTIONS` sets the number of runs; `make faults` takes 100 for each signal.
@Suite(.needsVirtualCard) struct RandomInterruptionTests {
  private static let runs =
    ProcessInfo.processInfo.environment["RAWAUDIO_INTERRUPTIONS"].flatMap(Int.init) ?? 2
  private static let sampleRate = 44_100

  @Test(arguments: [SIGKILL, SIGTERM, SIGHUP, SIGINT], ["wav", "flac"])
  func theFileIsValidWhateverTheMoment(signal: Int32, type: String) throws {
    var random = Noise(UInt64(signal))
    var losses: [Double] = []
    for _ in 0..<Self.runs {
      let delay = Double.random(in: 0..<1.2, using: &random)
      losses.append(try interrupt(by: signal, after: delay, type))
    }
    let name = [SIGKILL: "KILL", SIGTERM: "TERM", SIGHUP: "HUP", SIGINT: "INT"][signal] ?? ""
    let longest = (losses.max() ?? 0).formatted(.number.precision(.fractionLength(3)))
    print("SIG\(name) \(type): \(Self.runs) runs, all files valid, at most \(longest) s missing")
  }

  /// - Returns: the seconds recorded by the device but missing in the file.
  private func interrupt(by signal: Int32, after delay: Double, _ type: String) throws -> Double {
    // Without an input, the samples of the virtual card are counters.
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start([
      "capture", "-D", "card", "-r", "\(Self.sampleRate)", "-c", "1", "-f",
      type == "flac" ? "s24" : "s32", "-o", "take.\(type)",
    ])
    // libFLAC writes its header with the first samples.
    #expect(type == "flac" ? bench.awaitSize(0, of: "take.flac") : bench.awaitFile("take.wav"))
    // This wait is the random moment under test.
    usleep(UInt32(delay * 1e6))
    let end = Self.monotonicTime
    let run = process.wait(sending: signal)
    #expect(run.ending == (signal == SIGKILL ? .signal(SIGKILL) : .exit(0)))
    guard bench.exists("take.\(type)") else {
      // An end before the first sample leaves no file.
      #expect(signal != SIGKILL)
      return 0
    }

    let information = try runCommand("info", bench.path("take.\(type)"))
    information.expectExit(0)
    let file = try #require(LibsndfileFile(bench.path("take.\(type)")))
    // Before its first update, a header has the length 0 or another special value.
    if let claimed = file.claimed, claimed > 0 {
      #expect(information.outputText.contains("(\(claimed) samples per channel)"))
      #expect(Int64(file.samples.count) == claimed)
    }
    if type == "wav" {
      #expect(try bench.bytes(of: "take.wav").count >= 80 + 4 * file.samples.count)
    }
    // On a busy machine the card may overrun, but the samples keep their order.
    let numbers = file.samples.filter { $0 != 0 }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    guard let start = try bench.startTime() else { return 0 }
    return max(0, end - start - Double(file.samples.count) / Double(Self.sampleRate))
  }

  private static var monotonicTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension CardBench {
  /// Returns the time at which the card began to record, on the monotonic clock; nil if it never did.
  fileprivate func startTime() throws -> Double? {
    let lines = String(decoding: try bytes(of: "card.log"), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.split(separator: " ").dropFirst(3).first == "start" }
    return line.flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }
  }
}
