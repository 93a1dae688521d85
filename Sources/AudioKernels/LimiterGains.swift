// SPDX-License-Identifier: Apache-2.0
/// The state of a look-ahead limiter's gain, in memory of its owner.
///
/// It takes the least gain of a window, then applies the release, then two moving means over half the window each,
/// which turn steps into slopes without corners. Values at or below the required gain have a mean at or below it.
/// Source of the look-ahead limiter: U. Zölzer, DAFX, 2nd edition, section 4.2.2. All arithmetic is in integers: sums
/// neither drift nor depend on block boundaries, and without limiting the gain is exactly 1.
@safe
package struct LimiterGains {
  /// The gain 1.
  private static var one: Int64 {
    @inline(__always) @_noAllocation @_noLocks get { 1 << 30 }
  }

  private let window: Int
  /// The gains in the window that no later one undercuts, oldest first, from `begin` to `end` modulo the memory's size,
  /// and their positions.
  private let least: UnsafeMutablePointer<Int64>
  private let places: UnsafeMutablePointer<Int64>
  /// The memory's size less 1, which is a power of two.
  private let mask: Int
  private var begin = 0
  private var end = 0
  private var position: Int64 = 0
  /// The share of the way back to 1 per sample frame, times 2³².
  private let release: Int64
  private var released = one
  private var first: MovingSum
  private var second: MovingSum
  /// The value of the sums if every gain is 1.
  private let full: Double
  /// Sample frames since the last one that required a gain, and since the release returned to 1.
  private var quiet: Int
  private var settled: Int

  /// - Parameters:
  ///   - window: in sample frames, at least 1.
  ///   - release: the share of the way back to 1 per sample frame, 0 to 1.
  ///   - memory: ``memorySize(window:)`` integers, initialised.
  package init(window: Int, release: Double, memory: UnsafeMutablePointer<Int64>) {
    let size = Self.ringSize(window)
    let half = (window + 1) / 2
    self.window = window
    unsafe least = memory
    unsafe places = memory + size
    mask = size - 1
    self.release = Int64((release * 4_294_967_296).rounded())
    let sums = unsafe memory + 2 * size
    first = unsafe MovingSum(sums, length: half, filledWith: Self.one)
    second = unsafe MovingSum(
      sums + half, length: window + 1 - half, filledWith: Self.one * Int64(half))
    full = Double(Self.one) * Double(half) * Double(window + 1 - half)
    quiet = window
    settled = window + 1
  }

  /// The integers that a window needs.
  package static func memorySize(window: Int) -> Int { 2 * ringSize(window) + window + 1 }

  /// For every gain of the window and the next one.
  private static func ringSize(_ window: Int) -> Int {
    var size = 1
    while size <= window { size *= 2 }
    return size
  }

  /// Whether the gain is 1, and stays 1 until a gain is required.
  package var isAtRest: Bool { quiet >= window && settled > window }

  /// Takes the peaks of the next sample frames. Writes the gain of each sample frame `window` − 1 earlier.
  ///
  /// A frame requires the gain that lowers its peak to the limit; infinite peaks and NaN require none.
  ///
  /// - Parameters:
  ///   - peaks: `count` magnitudes; nil if none is above the limit.
  ///   - factors: `count` numbers.
  @_noAllocation @_noLocks
  mutating func write(
    _ peaks: UnsafePointer<Float>?, count: Int, limit: Float,
    to factors: UnsafeMutablePointer<Double>
  ) {
    // A copy stays in registers, since no address may be that of its fields.
    var state = self
    for index in 0..<count {
      var gain = Self.one
      if let peaks = unsafe peaks {
        let peak = unsafe peaks[index]
        if peak > limit, peak < .infinity {
          gain = Int64(Double(limit) / Double(peak) * Double(Self.one))
        }
      }
      unsafe factors[index] = state.next(requiring: gain)
    }
    self = state
  }

  /// Takes the required gain of the next sample frame. Returns the gain of the frame `window` − 1 earlier.
  @inline(__always) @_noAllocation @_noLocks
  private mutating func next(requiring gain: Int64) -> Double {
    let minimum = slide(gain)
    let back = max(1, ((Self.one &- released) &* release) >> 32)
    released = min(minimum, min(Self.one, released &+ back))
    quiet = gain < Self.one ? 0 : quiet &+ 1
    settled = released < Self.one ? 0 : settled &+ 1
    return Double(second.add(first.add(released))) / full
  }

  /// Returns the least of the last `window` gains.
  @inline(__always) @_noAllocation @_noLocks
  private mutating func slide(_ gain: Int64) -> Int64 {
    while end != begin, unsafe least[(end &- 1) & mask] >= gain { end &-= 1 }
    unsafe least[end & mask] = gain
    unsafe places[end & mask] = position
    end &+= 1
    if unsafe places[begin & mask] <= position &- Int64(window) { begin &+= 1 }
    position &+= 1
    return unsafe least[begin & mask]
  }
}

/// The sum of the last values.
@safe
private struct MovingSum {
  private let values: UnsafeMutablePointer<Int64>
  private let length: Int
  private var next = 0
  private var sum: Int64

  init(_ memory: UnsafeMutablePointer<Int64>, length: Int, filledWith value: Int64) {
    unsafe values = memory
    unsafe memory.update(repeating: value, count: length)
    self.length = length
    sum = value * Int64(length)
  }

  @inline(__always) @_noAllocation @_noLocks
  mutating func add(_ value: Int64) -> Int64 {
    unsafe sum &+= value &- values[next]
    unsafe values[next] = value
    next &+= 1
    if next == length { next = 0 }
    return sum
  }
}
