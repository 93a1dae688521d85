// SPDX-License-Identifier: Apache-2.0
/// Where a capture stands on its device's clock: what it delivered, what was lost, and the gap that is open
/// until a sample comes through again.
///
/// Device thread only.
struct CaptureTimeline {
  private var clock: DeviceClock
  private let bufferSize: Int
  private let sampleRate: Int
  /// When the start was asked for.
  private let asked: MonotonicTime

  /// Samples per channel pushed to the ring.
  private var delivered: Int64 = 0
  /// Samples per channel that the gaps reported so far stand for.
  private var filled: Int64 = 0
  /// Samples per channel of the device's clock since this stretch of known samples began.
  private var stretch: Int64 = 0
  /// The gap that ends before the next sample.
  private var gap = OpenGap()
  /// The gap that begins behind the next ``held`` samples per channel, which a device that slept kept.
  private var gapBehind = OpenGap()
  private var held = 0
  /// When the device had been started again.
  private var restarted: MonotonicTime
  /// How long that took, in seconds.
  private var restartWindow = 0.0

  /// Whether the device gives more than a clock allows, so that it is not bound to time: a file, a test.
  /// Its clock tells nothing.
  private(set) var isUnpaced = false
  private var isPacingSettled = false

  @_noAllocation @_noLocks
  init(_ parameters: AlsaParameters, asked: MonotonicTime, started: MonotonicTime) {
    sampleRate = parameters.format.sampleRate
    bufferSize = parameters.bufferSize
    self.asked = asked
    restarted = started
    clock = DeviceClock(
      sampleRate: sampleRate, started: started, window: started.seconds(since: asked),
      step: Double(parameters.periodSize) / Double(sampleRate))
  }

  var isInGap: Bool {
    @_noAllocation @_noLocks get { gap.isOpen || gapBehind.isOpen }
  }

  /// Whether a loss now only makes a gap longer.
  var isLosing: Bool {
    @_noAllocation @_noLocks get { gap.isOpen }
  }

  /// Whether a device that slept still has samples from before.
  var isHolding: Bool {
    @_noAllocation @_noLocks get { held > 0 }
  }

  /// How long the stream is by now, in samples per channel, the gap that is open included.
  var position: Int64 {
    @_noAllocation @_noLocks get { delivered + filled + gap.lost }
  }

  /// How many samples per channel may be read next without passing the place of a gap.
  var limit: Int {
    @_noAllocation @_noLocks get { held > 0 ? held : .max }
  }

  /// nil where it was not measured, or so badly that it says nothing.
  var drift: DriftRecord.Measurement? {
    @_noAllocation @_noLocks get {
      let uncertainty = clock.driftUncertainty
      guard !isUnpaced, clock.isDriftKnown, uncertainty < 100e-6 else { return nil }
      return DriftRecord.Measurement(
        partsPerMillion: clock.drift * 1e6, uncertainty: uncertainty * 1e6, span: clock.span)
    }
  }

  /// The next `count` samples per channel of the device are lost, and counted.
  @_noAllocation @_noLocks
  mutating func lose(_ count: Int, _ cause: DeviceGap.Cause, isNew: Bool) {
    gap.add(cause, isNew: isNew)
    gap.lost += Int64(count)
    let before = min(held, count)
    if held > 0, before == held { joinGaps() }
    held -= before
    stretch += Int64(count - before)
  }

  /// The device stopped and was started again: how much was lost meanwhile is to be estimated.
  ///
  /// - Parameters:
  ///   - held: samples per channel from before that it still has.
  ///   - stopped: the device as it stood then; nil where it holds nothing.
  ///   - asked: when it was asked to start again.
  ///   - restarted: when it had been started again.
  @_noAllocation @_noLocks
  mutating func breakOff(
    _ cause: DeviceGap.Cause, held: Int, stopped: CaptureReading? = nil, asked: MonotonicTime,
    restarted: MonotonicTime
  ) {
    // The gap before ends where those samples begin.
    if held > 0, self.held == 0, let stopped {
      joinGaps()
      if gap.needsEstimate { estimate(stopped, samples: stretch + Int64(held)) }
    }
    self.held = held
    self.restarted = restarted
    restartWindow = restarted.seconds(since: asked)
    gapBehind.add(cause, isNew: true)
    gapBehind.needsEstimate = true
    if held == 0 { joinGaps() }
    stretch = 0
    clock.endStretch()
  }

  /// Holds `count` samples per channel that were read, and those that the device had at `reading`, against
  /// the time that has passed.
  @_noAllocation @_noLocks
  mutating func pace(_ count: Int, _ reading: CaptureReading) {
    let due = reading.time.seconds(since: asked) * Double(sampleRate)
    let position = Double(delivered + filled + gap.lost + Int64(count + reading.available))
    // Half as much again, and half a buffer for the start, is beyond what any clock is wrong by.
    let isAhead = position > 1.5 * due + Double(bufferSize) / 2
    if isAhead || !isPacingSettled { isUnpaced = isAhead }
  }

  /// From now on the reader's pace decides how much is read, which tells nothing about the device's.
  @_noAllocation @_noLocks
  mutating func settlePacing() { isPacingSettled = true }

  /// `count` samples per channel were read, and at `reading` the device held others. Call this before they
  /// are pushed.
  ///
  /// - Returns: whether a gap ends before these samples.
  @_noAllocation @_noLocks
  mutating func read(_ count: Int, _ reading: CaptureReading) -> Bool {
    if held > 0 {
      // From before the gap: on a clock that has stood still since.
      let isOpen = gap.isOpen
      held -= min(count, held)
      return isOpen
    }
    joinGaps()
    let samples = stretch + Int64(count + reading.available)
    if gap.needsEstimate { estimate(reading, samples: samples) }
    stretch += Int64(count)
    clock.observe(reading, samples: samples)
    return gap.isOpen
  }

  /// The gap that ends here.
  @_noAllocation @_noLocks
  func mark() -> GapMark {
    GapMark(gap: gap.ended(at: delivered + filled), ringPosition: delivered)
  }

  /// The gap was reported.
  @_noAllocation @_noLocks
  mutating func close() {
    filled += gap.lost
    gap = OpenGap()
  }

  /// So many samples per channel were pushed to the ring.
  @_noAllocation @_noLocks
  mutating func push(_ count: Int) { delivered += Int64(count) }

  /// Nothing more comes: an open gap goes up to `reading`.
  @_noAllocation @_noLocks
  mutating func end(_ reading: CaptureReading) {
    end()
    if gap.needsEstimate { estimate(reading, samples: stretch + Int64(reading.available)) }
  }

  /// Nothing more comes, and nobody can tell what might have.
  @_noAllocation @_noLocks
  mutating func end() {
    held = 0
    joinGaps()
  }

  @_noAllocation @_noLocks
  private mutating func joinGaps() {
    if !gapBehind.isOpen { return }
    gap.join(gapBehind)
    gapBehind = OpenGap()
  }

  /// What is missing is what the device's clock says now less everything that is accounted for.
  @_noAllocation @_noLocks
  private mutating func estimate(_ reading: CaptureReading, samples: Int64) {
    if isUnpaced { return }
    let estimate = clock.position(
      of: reading, samples: samples, restarted: restarted, restartWindow: restartWindow)
    // What was counted in this stretch comes behind the estimate's place.
    let accounted = delivered + filled + gap.lost - stretch
    gap.lost += max(Int64(estimate.samples + 0.5) - accounted, 0)
    gap.uncertainty = max(gap.uncertainty, Int64(estimate.uncertainty) + 1)
    gap.needsEstimate = false
  }
}

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

  /// The gap as it is reported once it has ended.
  @_noAllocation @_noLocks
  func ended(at position: Int64) -> DeviceGap {
    let isUnknown = needsEstimate && lost == 0
    return DeviceGap(
      cause: cause, position: position, lostSamples: isUnknown ? nil : lost,
      uncertainty: isUnknown ? 0 : uncertainty, occurrences: occurrences)
  }
}
