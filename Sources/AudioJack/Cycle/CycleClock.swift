// SPDX-License-Identifier: Apache-2.0
/// The account of a client's cycles by the server's frame time, which counts on through the cycles that the client
/// misses. Pure arithmetic, on the server's thread.
///
/// The frame time has 32 bits and wraps once a day at 48 kHz. It jumps if PipeWire takes another device for its clock:
/// no clock moves so far in the time that passed, and then the machine's clock tells the length.
struct CycleClock {
  /// The place of a call in the account.
  enum Cycle: BitwiseCopyable, Equatable {
    /// A cycle that was handled already: a server wakes a client that was late twice.
    case repeated
    /// The next cycle, after `lost` samples per channel of cycles that the client missed.
    case next(lost: Int)
    /// The next cycle of another clock, with an estimate of the samples per channel since the last one.
    case jumped(estimate: Int, uncertainty: Int)
  }

  private let sampleRate: Int
  /// The frame time at which the next cycle is to begin. nil before the first one.
  private var due: UInt32?
  private var last: UInt32 = 0
  private var lastCount = 0
  private var time = MonotonicTime(nanoseconds: 0)

  @_noAllocation @_noLocks
  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Names the cycle that begins at `frame`. Nothing changes until ``finish(at:_:_:)``.
  ///
  /// - Parameters:
  ///   - count: its samples per channel.
  ///   - now: when the client was called.
  @_noAllocation @_noLocks
  func cycle(at frame: UInt32, _ count: Int, _ now: MonotonicTime) -> Cycle {
    guard let due else { return .next(lost: 0) }
    if frame == due { return .next(lost: 0) }
    // jackd counts the first cycle of a new period from the beginning of the last one, as if that had been as long.
    if count != lastCount, frame == last &+ UInt32(truncatingIfNeeded: count) {
      return .next(lost: 0)
    }
    let ahead = Int(Int32(bitPattern: frame &- due))
    let passed = now.seconds(since: time) * Double(sampleRate)
    // The last call may have come late, and then less time has passed than cycles.
    if ahead > 0, Double(ahead) <= passed * 2 + 4 * Double(count) {
      return .next(lost: ahead)
    }
    if frame == last { return .repeated }
    return .jumped(estimate: max(Int(passed) - count, 0), uncertainty: 2 * count)
  }

  /// Notes that the cycle at `frame` was handled in time. A cycle that was not counts as missed.
  @_noAllocation @_noLocks
  mutating func finish(at frame: UInt32, _ count: Int, _ now: MonotonicTime) {
    last = frame
    lastCount = count
    due = frame &+ UInt32(truncatingIfNeeded: count)
    time = now
  }
}
