// SPDX-License-Identifier: Apache-2.0
/// The account of a capture on its device's clock: the delivered and the lost samples, and the gap that stays
/// open until a sample comes through again.
///
/// Device thread only.
struct CaptureTimeline {
  private var clock: DeviceClock
  private let bufferSize: Int
  private let sampleRate: Int
  /// The time of the request to start.
  private let asked: MonotonicTime

  /// The samples handed on, and the gap that ends before the next one.
  private var account = CaptureAccount()
  /// Samples per channel of the device's clock since this stretch of known samples began.
  private var stretch: Int64 = 0
  /// The gap behind the next ``held`` samples per channel, which the device kept while it slept.
  private var gapBehind = PendingGap()
  private var held = 0
  /// The time by which the device had been restarted.
  private var restarted: MonotonicTime
  /// The duration of the restart, in seconds.
  private var restartWindow = 0.0

  /// Whether the device delivers faster than any clock, as a file or a test does: its clock means nothing.
  private(set) var isUnpaced = false
  private var isPacingSettled = false

  @_noAllocation @_noLocks
  init(_ parameters: DeviceParameters, asked: MonotonicTime, started: MonotonicTime) {
    sampleRate = parameters.format.sampleRate
    bufferSize = parameters.bufferSize
    self.asked = asked
    restarted = started
    clock = DeviceClock(
      sampleRate: sampleRate, started: started, window: started.seconds(since: asked),
      step: Double(parameters.periodSize) / Double(sampleRate))
  }

  var isInGap: Bool {
    @_noAllocation @_noLocks get { account.gap.isOpen || gapBehind.isOpen }
  }

  /// Whether a loss now only lengthens a gap.
  var isLosing: Bool {
    @_noAllocation @_noLocks get { account.gap.isOpen }
  }

  /// Whether a device that slept still holds samples from before its sleep.
  var isHolding: Bool {
    @_noAllocation @_noLocks get { held > 0 }
  }

  /// The length of the stream so far, including the open gap, in samples per channel.
  var position: Int64 {
    @_noAllocation @_noLocks get { account.position }
  }

  /// The most samples per channel to read next without passing a gap.
  var limit: Int {
    @_noAllocation @_noLocks get { held > 0 ? held : .max }
  }

  /// nil if the drift was not measured to within 100 ppm.
  var drift: ClockDrift? {
    @_noAllocation @_noLocks get { isUnpaced ? nil : clock.knownDrift }
  }

  /// Counts the next `count` samples per channel of the device as lost.
  @_noAllocation @_noLocks
  mutating func lose(_ count: Int, _ cause: DeviceGap.Cause, isNew: Bool) {
    account.gap.add(cause, Int64(count), isNew: isNew)
    let before = min(held, count)
    if held > 0, before == held { joinGaps() }
    held -= before
    stretch += Int64(count - before)
  }

  /// Notes that the device stopped and was restarted: the loss meanwhile is to be estimated.
  ///
  /// - Parameters:
  ///   - held: samples per channel from before the stop that the device still holds.
  ///   - stopped: the device's position at the stop; nil if it holds nothing.
  ///   - asked: the time of the request to start again.
  ///   - restarted: the time by which the device had been restarted.
  @_noAllocation @_noLocks
  mutating func beginGap(
    _ cause: DeviceGap.Cause, held: Int, stopped: CaptureReading? = nil, asked: MonotonicTime,
    restarted: MonotonicTime
  ) {
    // The earlier gap ends at the first of those samples.
    if held > 0, self.held == 0, let stopped {
      joinGaps()
      if account.gap.needsEstimate { estimate(stopped, samples: stretch + Int64(held)) }
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

  /// Compares the read samples, and those that the device held at `reading`, with the time that has passed.
  @_noAllocation @_noLocks
  mutating func pace(_ count: Int, _ reading: CaptureReading) {
    let due = reading.time.seconds(since: asked) * Double(sampleRate)
    let position = Double(account.position + Int64(count + reading.available))
    // No clock is 50 % too fast; half a buffer allows for the start.
    let isAhead = position > 1.5 * due + Double(bufferSize) / 2
    if isAhead || !isPacingSettled { isUnpaced = isAhead }
  }

  /// Keeps ``isUnpaced`` once set: from now on the reader's pace decides how much is read.
  @_noAllocation @_noLocks
  mutating func settlePacing() { isPacingSettled = true }

  /// Notes that `count` samples per channel were read, and that the device held others at `reading`. Call
  /// this before they are pushed.
  ///
  /// - Returns: whether a gap ends before these samples.
  @_noAllocation @_noLocks
  mutating func read(_ count: Int, _ reading: CaptureReading) -> Bool {
    if held > 0 {
      // These samples precede the gap: the clock that timed them has stood still since.
      let isOpen = account.gap.isOpen
      held -= min(count, held)
      return isOpen
    }
    joinGaps()
    let samples = stretch + Int64(count + reading.available)
    if account.gap.needsEstimate { estimate(reading, samples: samples) }
    stretch += Int64(count)
    clock.observe(reading, samples: samples)
    return account.gap.isOpen
  }

  /// Reports the gap that ends here; without room it stays open.
  ///
  /// - Parameter isLast: whether no sample follows.
  @_noAllocation @_noLocks
  mutating func endGap(to live: borrowing LiveRing, isLast: Bool = false) {
    _ = account.endGap(to: live, isLast: isLast)
  }

  /// Notes that `count` samples per channel were pushed to the ring.
  @_noAllocation @_noLocks
  mutating func push(_ count: Int) { account.push(count) }

  /// Ends the capture: an open gap extends to `reading`.
  @_noAllocation @_noLocks
  mutating func end(_ reading: CaptureReading) {
    end()
    if account.gap.needsEstimate { estimate(reading, samples: stretch + Int64(reading.available)) }
  }

  /// Ends the capture: the length of an open gap stays unknown.
  @_noAllocation @_noLocks
  mutating func end() {
    held = 0
    joinGaps()
  }

  @_noAllocation @_noLocks
  private mutating func joinGaps() {
    if !gapBehind.isOpen { return }
    account.gap.join(gapBehind)
    gapBehind = PendingGap()
  }

  /// Adds the samples that the device's clock counts and the account lacks.
  @_noAllocation @_noLocks
  private mutating func estimate(_ reading: CaptureReading, samples: Int64) {
    if isUnpaced { return }
    let estimate = clock.position(
      of: reading, samples: samples, restarted: restarted, restartWindow: restartWindow)
    // The samples counted in this stretch lie behind the estimate's place.
    let accounted = account.position - stretch
    account.gap.lost += max(Int64(estimate.samples + 0.5) - accounted, 0)
    account.gap.uncertainty = max(account.gap.uncertainty, Int64(estimate.uncertainty) + 1)
    account.gap.needsEstimate = false
  }
}
