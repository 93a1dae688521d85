/// A gap that goes on until a sample comes through again. Device thread only.
struct OpenGap {
  private(set) var cause = DeviceGap.Cause.xrun
  /// 0 while there is no gap.
  private(set) var occurrences = 0
  /// Samples per channel, counted or estimated.
  var lost: Int64 = 0
  var uncertainty: Int64 = 0
  /// Whether time passed in it for which nothing was counted or estimated yet.
  var needsEstimate = false

  @_noAllocation @_noLocks
  init() {}

  var isOpen: Bool {
    @_noAllocation @_noLocks get { occurrences > 0 }
  }

  /// - Parameter isNew: false where this only goes on.
  @_noAllocation @_noLocks
  mutating func add(_ cause: DeviceGap.Cause, isNew: Bool) {
    if !isOpen { self.cause = cause }
    if isNew || !isOpen { occurrences += 1 }
  }

  /// Another gap follows without a sample in between.
  @_noAllocation @_noLocks
  mutating func join(_ next: OpenGap) {
    if !isOpen { cause = next.cause }
    occurrences += next.occurrences
    lost += next.lost
    uncertainty = max(uncertainty, next.uncertainty)
    needsEstimate = needsEstimate || next.needsEstimate
  }

  /// The gap as it is told.
  @_noAllocation @_noLocks
  func told(at position: Int64) -> DeviceGap {
    let isUnknown = needsEstimate && lost == 0
    return DeviceGap(
      cause: cause, position: position, lostSamples: isUnknown ? nil : lost,
      uncertainty: uncertainty, occurrences: occurrences)
  }
}
