// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A lock-free histogram of a device thread's wake-up delays; other threads may read it meanwhile.
///
/// Its size is fixed. A class is at most an eighth of its lower bound wide, from 1 µs to 67 s: eight classes
/// to a power of two, and one to each of the first eight microseconds.
@safe
package struct WakeUpDelays: ~Copyable, Sendable {
  package static let classCount = 192

  private nonisolated(unsafe) let counts: UnsafeMutablePointer<Atomic<Int>>
  private let longest = Atomic<Int>(0)

  package init() {
    unsafe counts = .allocate(capacity: Self.classCount)
    for index in 0..<Self.classCount {
      unsafe (counts + index).initialize(to: Atomic(0))
    }
  }

  deinit {
    unsafe counts.deinitialize(count: Self.classCount)
    unsafe counts.deallocate()
  }

  /// Counts a delay in microseconds; device thread only.
  @_noAllocation @_noLocks
  package func note(microseconds: Int) {
    let delay = max(microseconds, 0)
    unsafe counts[Self.index(of: delay)].wrappingAdd(1, ordering: .relaxed)
    if delay > longest.load(ordering: .relaxed) { longest.store(delay, ordering: .relaxed) }
  }

  /// The class of a delay.
  @_noAllocation @_noLocks
  package static func index(of microseconds: Int) -> Int {
    if microseconds < 8 { return microseconds }
    let exponent = Int.bitWidth - 1 - microseconds.leadingZeroBitCount
    let eighth = (microseconds >> (exponent - 3)) & 7
    return min((exponent - 2) * 8 + eighth, classCount - 1)
  }

  /// The longest delay of a class, in microseconds.
  package static func upperBound(ofClass index: Int) -> Int {
    if index < 8 { return index }
    let exponent = index / 8 + 2
    return (8 + index % 8 + 1) << (exponent - 3) - 1
  }

  /// The counts so far; any thread.
  package func summary() -> WakeUpStatistics {
    let longest = longest.load(ordering: .relaxed)
    var statistics = WakeUpStatistics()
    for index in 0..<Self.classCount {
      let count = unsafe counts[index].load(ordering: .relaxed)
      if count == 0 { continue }
      statistics.histogram.append(
        .init(
          longest: .microseconds(min(Self.upperBound(ofClass: index), longest)), count: count))
    }
    statistics.sumUp(longest: .microseconds(longest))
    return statistics
  }
}

/// The wake-up delays of a device thread: how much longer than a period the device had been ready when the
/// thread asked.
///
/// Measured by the device's own position after each wait. Quantiles and histogram are exact to an eighth.
package struct WakeUpStatistics: Sendable, Hashable {
  /// How often the thread woke.
  package var count = 0
  /// Half of the delays are no longer than this.
  package var median = Duration.zero
  /// 99 of 100 delays are no longer than this.
  package var percentile99 = Duration.zero
  /// The longest delay.
  package var longest = Duration.zero
  /// All delays, shortest first; only classes with a count.
  package var histogram: [DelayClass] = []

  /// The statistics of a thread that never woke.
  package init() {}

  /// The delays that are longer than those of the class before and no longer than `longest`.
  package struct DelayClass: Sendable, Hashable {
    package var longest: Duration
    package var count: Int
  }

  /// Adds the delays of another thread.
  mutating func add(_ other: WakeUpStatistics) {
    if other.count == 0 { return }
    if count == 0 {
      self = other
      return
    }
    var counts: [Duration: Int] = [:]
    for some in histogram + other.histogram { counts[some.longest, default: 0] += some.count }
    histogram = counts.sorted { $0.key < $1.key }.map {
      DelayClass(longest: $0.key, count: $0.value)
    }
    sumUp(longest: max(longest, other.longest))
  }

  /// Computes the count, the median and the percentile from the histogram.
  fileprivate mutating func sumUp(longest: Duration) {
    count = histogram.reduce(0) { $0 + $1.count }
    self.longest = longest
    median = quantile(0.5)
    percentile99 = quantile(0.99)
  }

  private func quantile(_ share: Double) -> Duration {
    let rank = max(Int((Double(count) * share).rounded(.up)), 1)
    var sum = 0
    for some in histogram {
      sum += some.count
      if sum >= rank { return some.longest }
    }
    return longest
  }
}
