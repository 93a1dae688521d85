// SPDX-License-Identifier: Apache-2.0
/// How much of what a device took was heard, as far as that can be known. Device thread only.
///
/// Known is what the device said when it was last asked. What it played between that and a failure is
/// bounded by the time that passed and by what it held. (Not by the time where a device is not bound to it,
/// as no sound card is.)
struct HeardSamples {
  private let sampleRate: Int
  /// Samples per channel that were heard when the device was last asked.
  private(set) var count = 0
  /// By how much that may be wrong either way.
  private(set) var uncertainty = 0
  /// Samples per channel that were taken and lost with the device's buffer.
  private var lost = 0
  /// When the device was asked last, or started.
  private var time = MonotonicTime(nanoseconds: 0)
  /// Whether it plays what it takes.
  private(set) var isStarted = false

  @_noAllocation @_noLocks
  init(sampleRate: Int) { self.sampleRate = sampleRate }

  @_noAllocation @_noLocks
  mutating func start(at time: MonotonicTime) {
    isStarted = true
    self.time = time
  }

  /// At `time` the device had `queued` of the `taken` samples per channel still to play.
  @_noAllocation @_noLocks
  mutating func update(taken: Int, queued: Int, at time: MonotonicTime) {
    count = max(count, taken - lost - queued)
    self.time = time
  }

  /// The device failed, and no longer plays what it holds.
  ///
  /// - Parameters:
  ///   - taken: samples per channel so far.
  ///   - time: when that was known.
  ///   - ranEmpty: whether the failure may be that it had nothing left.
  @_noAllocation @_noLocks
  mutating func breakOff(taken: Int, at time: MonotonicTime, ranEmpty: Bool) {
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
