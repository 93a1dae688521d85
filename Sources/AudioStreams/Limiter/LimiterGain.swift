// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The gain of a look-ahead limiter, from the gain that each sample frame requires: never above it, and smooth.
///
/// It takes the least gain of a window, then applies the release, then two moving means over half the window each,
/// which turn steps into slopes without corners. Values at or below the required gain have a mean at or below it.
/// Source of the look-ahead limiter: U. Zölzer, DAFX, 2nd edition, section 4.2.2. All arithmetic is in integers: sums
/// neither drift nor depend on block boundaries, and without limiting the gain is exactly 1.
struct LimiterGain {
  /// The gain 1.
  static let one: Int64 = 1 << 30

  /// The window in sample frames: a gain comes out `window` − 1 sample frames after its own.
  let window: Int

  /// The gains in the window that no later one undercuts, oldest first, from `head` on, and their positions.
  private var least: [Int64]
  private var places: [Int64]
  private var head = 0
  private var leastCount = 0
  private var position: Int64 = 0
  /// The share of the way back to 1 per sample frame, times 2³².
  private let release: Int64
  private var released = one
  private var first: MovingSum
  private var second: MovingSum
  /// The value of the sums if every gain is 1.
  private let full: Double
  /// Sample frames since the last one that required a gain, and since the release returned to 1.
  private var quiet = 0
  private var settled = 0

  /// - Parameters:
  ///   - window: at least 1.
  ///   - release: the time constant in sample frames: the gain goes 1 − 1 ⁄ e of the way back in it.
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

  /// Whether the gain is 1, and stays 1 until a gain is required.
  var isAtRest: Bool { quiet >= window && settled > window }

  /// Takes the required gain of the next sample frame, in parts of ``one``. Returns the gain of the frame `window` − 1
  /// earlier.
  mutating func next(requiring gain: Int64) -> Double {
    let minimum = slide(gain)
    let back = max(1, ((Self.one - released) &* release) >> 32)
    released = min(minimum, min(Self.one, released + back))
    quiet = gain < Self.one ? 0 : quiet + 1
    settled = released < Self.one ? 0 : settled + 1
    return Double(second.add(first.add(released))) / full
  }

  /// Returns the least of the last `window` gains.
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
