// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The gain of a look-ahead limiter, from the gain that each sample frame requires: never above it, and smooth.
///
/// The least gain of a window comes first, then the release, then the mean over the window, twice over half of it, which
/// makes steps into slopes without corners. The mean of values each of which is at most the required gain is at most the
/// required gain (U. Zölzer, DAFX, 2nd edition, section 4.2.2, has the limiter with look-ahead; the smoothing is that of a
/// moving average). All of it is in integers: sums neither drift nor depend on how the stream is cut, and where nothing is
/// to be limited the gain is exactly 1.
struct LimiterGain {
  /// The gain 1.
  static let one: Int64 = 1 << 30

  /// Sample frames of the window: a gain comes out so many less one after its sample frame went in.
  let window: Int

  /// The gains in the window that no later one undercuts, oldest first, from `head` on, and where they stand.
  private var least: [Int64]
  private var places: [Int64]
  private var head = 0
  private var leastCount = 0
  private var position: Int64 = 0
  /// The share of the way back to 1 that is gone in a sample frame, times 2³².
  private let release: Int64
  private var released = one
  private var first: MovingSum
  private var second: MovingSum
  /// Of sums of nothing but 1.
  private let full: Double
  /// Sample frames since the last one that required a gain, and since the release came back to 1.
  private var quiet = 0
  private var settled = 0

  /// - Parameters:
  ///   - window: at least 1.
  ///   - release: sample frames in which the gain goes 1 − 1 ⁄ e of the way back.
  init(window: Int, release: Double) {
    self.window = window
    least = Array(repeating: Self.one, count: window)
    places = Array(repeating: 0, count: window)
    self.release = Int64((-expm1(-1 / max(1e-3, release)) * 4_294_967_296).rounded())
    let half = (window + 1) / 2
    first = MovingSum(length: half, filledWith: Self.one)
    second = MovingSum(length: window + 1 - half, filledWith: Self.one * Int64(half))
    full = Double(Self.one) * Double(half) * Double(window + 1 - half)
    (quiet, settled) = (window, window + 1)
  }

  /// Whether the gain is 1, and stays so as long as no gain is required.
  var isAtRest: Bool { quiet >= window && settled > window }

  /// Takes the gain that the next sample frame requires, in parts of ``one``; gives that of the frame `window` − 1 before.
  mutating func next(requiring gain: Int64) -> Double {
    let minimum = slide(gain)
    let back = max(1, ((Self.one - released) &* release) >> 32)
    released = min(minimum, min(Self.one, released + back))
    quiet = gain < Self.one ? 0 : quiet + 1
    settled = released < Self.one ? 0 : settled + 1
    return Double(second.add(first.add(released))) / full
  }

  /// The least of the last `window` gains.
  private mutating func slide(_ gain: Int64) -> Int64 {
    while leastCount > 0, least[index(leastCount - 1)] >= gain { leastCount -= 1 }
    let last = index(leastCount)
    least[last] = gain
    places[last] = position
    leastCount += 1
    if places[head] <= position - Int64(window) {
      head = index(1)
      leastCount -= 1
    }
    position += 1
    return least[head]
  }

  private func index(_ offset: Int) -> Int {
    let index = head + offset
    return index < window ? index : index - window
  }
}

/// The sum of the last values.
private struct MovingSum {
  private var values: [Int64]
  private var next = 0
  private var sum: Int64

  init(length: Int, filledWith value: Int64) {
    values = Array(repeating: value, count: length)
    sum = value * Int64(length)
  }

  mutating func add(_ value: Int64) -> Int64 {
    sum += value - values[next]
    values[next] = value
    next = next + 1 < values.count ? next + 1 : 0
    return sum
  }
}
