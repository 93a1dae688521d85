// SPDX-License-Identifier: Apache-2.0
/// How a device gets on, as its thread sees it; decides when waiting and recovering have no more use. Pure
/// arithmetic, on the device thread.
struct DeviceProgress {
  /// How a failure is met.
  enum Attempt: BitwiseCopyable {
    /// The device is lost.
    case none
    /// Recover: samples moved since the last time.
    case first
    /// Recover again: nothing moved since the last time, and the same gap goes on.
    case repeated
  }

  /// How often a device may fail in a row.
  private static var mostFaults: Int {
    @_noAllocation @_noLocks get { 8 }
  }

  /// In nanoseconds: a thread that was there has looked again by then.
  private static var longestLook: Int {
    @_noAllocation @_noLocks get { 500_000_000 }
  }

  /// Samples per channel that only a device at work can have moved since its last start.
  private let proof: Int
  /// Nanoseconds without a sample after which a device is lost.
  private let stallLimit: Int
  /// Nanoseconds without a sample, as far as the thread was there to see it.
  private var vainTime = 0
  private var lastLook: MonotonicTime
  private var movedSinceRecovery = 0
  private var faults = 0
  /// Nothing moved since the last recovery.
  private var isInGap = false
  private var vainWaits = 0

  /// - Parameters:
  ///   - proof: samples per channel that only a device at work can have moved since its last start.
  ///   - stallLimit: nanoseconds without a sample after which a device is lost.
  ///   - now: when the thread began.
  @_noAllocation @_noLocks
  init(proof: Int, stallLimit: Int, at now: MonotonicTime) {
    self.proof = proof
    self.stallLimit = stallLimit
    lastLook = now
  }

  /// `count` samples per channel went through.
  @_noAllocation @_noLocks
  mutating func moved(_ count: Int, at now: MonotonicTime) {
    rested(at: now)
    vainWaits = 0
    isInGap = false
    movedSinceRecovery += count
    if movedSinceRecovery >= proof { faults = 0 }
  }

  /// The thread had no use for the device; that it moved nothing says nothing about it.
  @_noAllocation @_noLocks
  mutating func rested(at now: MonotonicTime) {
    vainTime = 0
    lastLook = now
  }

  /// The thread waited for the device.
  @_noAllocation @_noLocks
  mutating func waited(_ readiness: Readiness) {
    if case .ready = readiness { vainWaits += 1 } else { vainWaits = 0 }
  }

  /// Whether the device says again and again that it is ready and then moves nothing. The thread must not
  /// spin then.
  @_noAllocation @_noLocks
  func isSpinning() -> Bool { vainWaits > 1 }

  /// Whether the device has moved nothing for too long.
  ///
  /// A thread that was kept away, as in a process that was stopped, could not see what the device did meanwhile.
  @_noAllocation @_noLocks
  mutating func isStalled(at now: MonotonicTime) -> Bool {
    vainTime += min(now.nanoseconds(since: lastLook), Self.longestLook)
    lastLook = now
    return vainTime > stallLimit
  }

  /// Whether the device failed again and again and has not worked since.
  @_noAllocation @_noLocks
  func isFailing() -> Bool { faults > 1 }

  /// How to meet `failure`. An xrun and the system's sleep say nothing against the device.
  @_noAllocation @_noLocks
  mutating func attempt(after failure: DeviceFailure, at now: MonotonicTime) -> Attempt {
    if isStalled(at: now) { return .none }
    switch failure {
    case .xrun, .suspended: break
    case .disconnected, .stalled, .other: faults += 1
    }
    if faults > Self.mostFaults { return .none }
    movedSinceRecovery = 0
    if isInGap { return .repeated }
    isInGap = true
    return .first
  }
}
