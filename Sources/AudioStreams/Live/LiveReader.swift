// SPDX-License-Identifier: Apache-2.0
/// A live source as its ``LiveReader`` calls it. Session thread only.
package protocol ReadableEnd: LiveSource {
  /// The pauses so far, in order; the first ``DeviceGaps/longestList`` of them.
  var pauses: [DevicePause] { get }
  /// The drift of its clock after the end. Nil if it is unknown.
  var clockDrift: ClockDrift? { get }
  /// The time of day of its sender. Nil if none can state one.
  var statedTime: StatedTime? { get }
  /// Whether the end is needed now, asked at each read; while it is not, it is closed. Nil = always.
  var isNeeded: (() -> Bool)? { get }
  /// How late samples may come behind an absence, for an end whose ring goes on through it. Nil for an end that is closed
  /// and opened again, with a new ring.
  var returnMargin: Duration? { get }

  /// Opens the end with its earlier parameters, and gives its ring to ``LiveReader/open(_:_:)``.
  func open(like before: DeviceParameters) throws(AudioError)
  /// Starts the open end.
  func begin() throws(AudioError)
  /// Ends its thread, if it runs. The samples in the ring can still be read.
  func halt()
  /// Releases the end, which is halted.
  func release()
  /// The error of an end that is lost; nil if it is not.
  ///
  /// - Parameter samples: samples per channel that were read before.
  func loss(after samples: Int64) -> AudioError?
}

extension ReadableEnd {
  package var pauses: [DevicePause] { [] }
  package var clockDrift: ClockDrift? { nil }
  package var statedTime: StatedTime? { nil }
  package var isNeeded: (() -> Bool)? { nil }
  package var returnMargin: Duration? { nil }
  package func open(like before: DeviceParameters) {}
  package func release() {}
}

/// Reads a live end by the policies for gaps and losses: samples of its ring, silence for lost ones, and silence while the
/// end is away, whether it is lost and to come back, or closed because it is not needed. Session thread only.
package final class LiveReader {
  private let gapPolicy: GapPolicy
  private let lossPolicy: LossPolicy
  /// The kind of error of an end that is still away; another one says that it is there and cannot be used.
  private let absentKind: AudioError.Kind
  private let clock: RingClock
  private var stream = GapFillingReader()
  private var owner: (any RingOwner)?
  /// The counts and the drift of ends that are closed.
  private var past: (statistics: DeviceStatistics, drift: ClockDrift?) = (DeviceStatistics(), nil)
  /// Whether the end is closed, or about to be, because it is not needed.
  private var rest = Rest.none
  private enum Rest { case none, comes, lasts }
  private var isStarted = false
  private var isStopped = false
  private var hasThrown = false
  package var wakeup = Wakeup()
  /// The order of the channels in the ring; nil if it is that of streams.
  package var order: ChannelOrder?
  /// Nil before the end is opened.
  package private(set) var parameters: DeviceParameters?
  /// The capacity of the ring, in samples per channel; nil before the end is opened.
  package private(set) var ringSize: Int?

  package init(
    _ clock: RingClock, _ gapPolicy: GapPolicy, _ lossPolicy: LossPolicy,
    absentKind: AudioError.Kind = .unavailable
  ) {
    self.clock = clock
    self.gapPolicy = gapPolicy
    self.lossPolicy = lossPolicy
    self.absentKind = absentKind
  }

  package var gaps: DeviceGaps { stream.gaps }
  package var pauses: [DevicePause] { stream.pauses }
  package var isAway: Bool { stream.isAway }

  package var statistics: DeviceStatistics {
    var statistics = past.statistics
    if let owner { statistics.add(owner.live.statistics()) }
    return statistics
  }

  package var drift: ClockDrift? { owner?.live.clockDrift() ?? past.drift }

  /// Takes the ring of an end that was opened.
  package func open(_ owner: any RingOwner, _ parameters: DeviceParameters) {
    self.owner = owner
    self.parameters = parameters
    ringSize = owner.live.capacity()
    clock.open(owner, parameters)
  }

  /// - Throws: the error of ``ReadableEnd/begin()``; `lifeCycle` before the end is opened.
  package func start(_ end: some ReadableEnd) throws(AudioError) {
    guard owner != nil, !isStarted else {
      throw AudioError(.lifeCycle, cannot: "start", end.device, because: "it is not initialised")
    }
    if end.isNeeded?() == false { rest = .comes } else { try end.begin() }
    isStarted = true
  }

  /// Ends the capture. The samples in the ring can still be read; then ``read(_:into:)`` returns `ended`.
  package func stop(_ end: some ReadableEnd) {
    isStopped = true
    halt(end)
    guard isAway else { return }
    // The wait ends with the capture.
    if rest == .lasts { _ = stream.endPause(at: nil) } else { endAbsence(of: end, at: nil) }
    hasThrown = true
  }

  package func dispose(_ end: some ReadableEnd) {
    stop(end)
    close(end)
  }

  /// Adds a gap that has no place in the ring: nothing passed the end meanwhile.
  package func note(_ occurrences: Int, of cause: DeviceGap.Cause, at end: some ReadableEnd) {
    let gap = DeviceGap(
      cause: cause, position: stream.given, lostSamplesPerChannel: 0, occurrences: occurrences)
    stream.note(gap)
    end.onGap?(gap)
  }

  /// Notes that an attempt to reach the lost end has failed.
  package func noteFailure(_ error: AudioError, of end: some ReadableEnd) {
    guard isAway else { return }
    let isUnusable = error.kind != absentKind && stream.isToTell(error)
    end.onAbsence?(isUnusable ? .unusable(error) : .lasts)
  }

  /// Appends captured samples, and silence for lost ones.
  ///
  /// - Throws: `deviceLost`, once, after the last sample before the loss; `inputOutput`, once, before a gap that is not
  ///   to be filled; the error of an end that is needed again and cannot be opened, unless it is waited for.
  package func read<Sample: AudioSample>(
    _ end: some ReadableEnd, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if isAway, let status = try wait(for: end, into: &output) { return status }
    guard let owner, let parameters, isStarted, !hasThrown else { return .ended }
    if rest == .none, !isStopped, end.isNeeded?() == false {
      halt(end)
      rest = .comes
    }
    stream.takePauses(of: owner.live)
    // Read before the ring: the end's thread ends after its last use of it.
    let loss = end.loss(after: stream.given)
    let before = output.count
    while try step(end, owner, parameters, into: &output) {}
    if output.count > before { return .ready }
    if owner.live.filled() > 0 { return .pending }
    if isStopped { return .ended }
    if rest == .comes {
      beginRest(of: end, owner, parameters)
    } else if let loss, owner.live.nextGap() == nil {
      guard waitsForReturn else {
        hasThrown = true
        throw loss
      }
      stream.beginAbsence(
        since: owner.live.lastArrival(), sampleRate: parameters.format.sampleRate)
      beginAbsence(of: end, loss)
    }
    return .pending
  }

  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    _ end: some ReadableEnd, _ owner: any RingOwner, _ parameters: DeviceParameters,
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    switch stream.step(
      owner.live, as: parameters.layout, in: order,
      channelCount: parameters.format.channelCount, stopsAtGaps: gapPolicy == .fail,
      into: &output)
    {
    case .none: return false
    case .moved: return true
    case .gap(let gap):
      end.onGap?(gap)
      guard gapPolicy == .fail else { return true }
      hasThrown = true
      throw AudioError.gap(gap, in: end.device, sampleRate: parameters.format.sampleRate)
    }
  }

  private func halt(_ end: some ReadableEnd) {
    end.halt()
    if let owner { stream.takePauses(of: owner.live) }
  }

  private func close(_ end: some ReadableEnd) {
    halt(end)
    past = (statistics, drift)
    clock.close()
    owner = nil
    end.release()
  }
}

// An end that is lost and to come back.
extension LiveReader {
  private var waitsForReturn: Bool { lossPolicy == .reopen && gapPolicy == .fill }

  /// Gives silence while the end is away, and searches for it now and then.
  ///
  /// - Returns: nil if the end is back.
  private func wait<Sample: AudioSample>(
    for end: some ReadableEnd, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus? {
    guard let parameters else { return nil }
    var now = MonotonicTime.now
    if let owner, let margin = end.returnMargin {
      if isBack(end, owner.live) { return nil }
      now.nanoseconds -= margin.inNanoseconds
    } else if let owner {
      // Silence reaches up to the first sample; the start tells that place.
      let start = owner.live.started()
      if owner.live.filled() > 0 {
        if rest == .lasts { endRest(of: end, at: start) } else { endAbsence(of: end, at: start) }
        return nil
      }
      now = min(now, start)
      if end.loss(after: stream.given) != nil {
        close(end)
        if rest == .lasts {
          try loseRest(
            of: end,
            .lost(
              end.device, .capture, because: "it gave no sample when it was opened again",
              after: stream.given))
        }
      }
    } else if rest == .lasts {
      if end.isNeeded?() == false {
        end.onAbsence?(.lasts)
      } else if let error = look(for: end, parameters) {
        try loseRest(of: end, error)
      }
    } else if stream.isToTry(at: now), let error = look(for: end, parameters) {
      noteFailure(error, of: end)
    }
    return stream.fillAbsence(until: now, format: parameters.format, into: &output)
  }

  /// Opens and starts the end as it was, if it is present.
  ///
  /// - Returns: the error if it cannot be.
  private func look(for end: some ReadableEnd, _ before: DeviceParameters) -> AudioError? {
    do throws(AudioError) {
      try end.open(like: before)
      try end.begin()
      return nil
    } catch {
      close(end)
      return error
    }
  }

  /// Ends the absence of an end whose ring goes on, once samples have come or the gap before them.
  private func isBack(_ end: some ReadableEnd, _ live: borrowing LiveRing) -> Bool {
    // Samples first: the gap before them was reported before they came.
    let hasSamples = live.ring.filled() > 0
    let taken = Int64(live.ring.taken())
    let mark = live.gaps.first.flatMap { $0.ringPosition == taken ? $0 : nil }
    if mark != nil { live.gaps.removeFirst() }
    guard hasSamples || mark != nil, let gap = stream.endAbsence(behind: mark) else { return false }
    tellReturn(of: end, behind: gap, isBack: true)
    return true
  }

  private func beginAbsence(of end: some ReadableEnd, _ loss: AudioError) {
    if end.returnMargin == nil { close(end) }
    wakeup.setCanWake(false)
    past.statistics.losses += 1
    end.onAbsence?(.began(loss, position: stream.given))
  }

  /// - Parameter start: when the end started that is back; nil if the capture was stopped.
  private func endAbsence(of end: some ReadableEnd, at start: MonotonicTime?) {
    let uncertainty = end.returnMargin == nil ? Int64(parameters?.periodSize ?? 0) + 1 : 0
    guard let gap = stream.endAbsence(at: start, uncertainty: uncertainty) else { return }
    tellReturn(of: end, behind: gap, isBack: start != nil)
  }

  private func tellReturn(of end: some ReadableEnd, behind gap: DeviceGap, isBack: Bool) {
    wakeup.setCanWake(true)
    end.onGap?(gap)
    end.onAbsence?(.ended(gap, isBack: isBack))
  }
}

// An end that is closed because it is not needed.
extension LiveReader {
  /// Closes the end, whose samples were read.
  private func beginRest(
    of end: some ReadableEnd, _ owner: any RingOwner, _ parameters: DeviceParameters
  ) {
    rest = .lasts
    // An end that was never started has captured nothing.
    let last = owner.live.lastArrival()
    stream.beginAbsence(
      since: last.nanoseconds > 0 ? last : .now, sampleRate: parameters.format.sampleRate)
    close(end)
    end.onAbsence?(.paused(position: stream.given))
  }

  /// - Parameter start: when the end started.
  private func endRest(of end: some ReadableEnd, at start: MonotonicTime) {
    rest = .none
    let silence = stream.endPause(at: start)
    end.onAbsence?(.resumed(since: silence.lowerBound, position: silence.upperBound))
  }

  /// The end is needed again and cannot be used: it is lost.
  private func loseRest(of end: some ReadableEnd, _ loss: AudioError) throws(AudioError) {
    rest = .none
    guard waitsForReturn else {
      hasThrown = true
      _ = stream.endPause(at: nil)
      throw loss
    }
    let silence = stream.losePause()
    end.onAbsence?(.resumed(since: silence.lowerBound, position: silence.upperBound))
    beginAbsence(of: end, loss)
  }
}
