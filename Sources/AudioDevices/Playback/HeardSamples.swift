// SPDX-License-Identifier: Apache-2.0
/// The samples of a device that were heard, with an uncertainty. Device thread only.
///
/// The device's last answer is certain. The samples played between that answer and a failure are bounded by the time
/// that passed and by the samples that the device held. (A device that is not bound to time, unlike a sound card, has
/// no bound by time.)
struct HeardSamples {
  private let sampleRate: Int
  /// Samples per channel that were heard by the device's last answer.
  private(set) var count = 0
  /// The uncertainty of ``count`` either way.
  private(set) var uncertainty = 0
  /// Samples per channel that were taken and lost with the device's buffer.
  private var lost = 0
  /// The time of the device's last answer or start.
  private var time = MonotonicTime(nanoseconds: 0)
  /// Whether the device plays the samples that it takes.
  private(set) var isStarted = false

  @_noAllocation @_noLocks
  init(sampleRate: Int) { self.sampleRate = sampleRate }

  @_noAllocation @_noLocks
  mutating func start(at time: MonotonicTime) {
    isStarted = true
    self.time = time
  }

  /// Notes that the device still had `queued` of the `taken` samples per channel to play at `time`.
  @_noAllocation @_noLocks
  mutating func update(taken: Int, queued: Int, at time: MonotonicTime) {
    count = max(count, taken - lost - queued)
    self.time = time
  }

  /// Notes that the device failed and no longer plays the samples that it holds.
  ///
  /// - Parameters:
  ///   - taken: samples per channel so far.
  ///   - time: the time at which the failure was noticed.
  ///   - ranEmpty: whether the failure may be an underrun.
  @_noAllocation @_noLocks
  mutating func beginGap(taken: Int, at time: MonotonicTime, ranEmpty: Bool) {
    let held = taken - lost - count
    let passed =
      isStarted ? max(Int(time.seconds(since: self.time) * Double(sampleRate)), 0) + 1 : 0
    let most = min(passed, held)
    if ranEmpty, most == held {
      count += held
    } else {
      count += most / 2
      uncertainty += (most + 1) / 2
    }
    lost = taken - count
    isStarted = false
  }
}
