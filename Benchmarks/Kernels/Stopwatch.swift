// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Measures processor time, of all threads of the process.
struct Stopwatch {
  let isSmokeTest: Bool

  /// How many samples a kernel gets at once: as many as the engine moves at most.
  static let blockLength = 16_384

  /// The median of seven rounds of ten milliseconds, after a round that is not counted.
  ///
  /// - Parameters:
  ///   - samples: how many one call of `work` writes.
  ///   - work: called again and again.
  /// - Returns: nanoseconds a sample.
  func nanoseconds<Failure: Error>(
    per samples: Int = blockLength, _ work: () throws(Failure) -> Void
  ) throws(Failure) -> Double {
    let first = try time(1, work)
    if isSmokeTest { return first / Double(samples) }
    let calls = max(1, Int(10_000_000 / max(first, 1)))
    _ = try time(calls, work)
    var rounds: [Double] = []
    for _ in 0..<7 { rounds.append(try time(calls, work)) }
    return rounds.sorted()[rounds.count / 2] / Double(calls * samples)
  }

  private func time<Failure: Error>(
    _ calls: Int, _ work: () throws(Failure) -> Void
  ) throws(Failure) -> Double {
    let start = Self.processorTime()
    for _ in 0..<calls { try work() }
    return Self.processorTime() - start
  }

  /// Nanoseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
