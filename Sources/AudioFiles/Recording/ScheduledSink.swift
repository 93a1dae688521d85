// SPDX-License-Identifier: Apache-2.0
/// Passes a stream on to another sink only within the windows of a schedule, to the sample, by the clock of the day.
///
/// Writing thread only.
package final class ScheduledSink: WrappingSink {
  /// A pause between two windows begins or ends.
  package struct Change: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// The next window begins at this second since 1970; nil = none does within a year.
      case paused(until: Int?)
      /// The length of the pause, in samples per channel.
      case resumed(behind: Int64)
    }

    package var kind: Kind
    /// The first sample that is left out, or the first one behind, in samples per channel of the stream.
    package var position: Int64
    /// The time of that sample, in nanoseconds since 1970.
    package var time: Int64
    /// The rate of ``position``, in hertz.
    package var sampleRate: Int
  }

  /// The most seconds by which a corrected clock may go back behind a bound without coming to it again.
  private static let tolerance = 2
  private static let perSecond: Int64 = 1_000_000_000

  package let sink: any AudioSink
  private var schedule: ScheduleReader
  private let clock: RecordingClock
  private let leadIn: TimePosition
  private let onBreak: () throws(AudioError) -> Void
  private let onChange: (Change) -> Void
  private var format: StreamFormat?
  private var timeline: RecordingTimeline?
  /// The position of the next sample in the stream.
  private var position: Int64 = 0
  /// How long the next samples have waited.
  private var waited: Duration = .zero
  /// Nil before the first sample.
  private var isOpen: Bool?
  private var pausedAt: Int64 = 0
  /// The last bound that was reached, in seconds since 1970.
  private var bound: Int?

  /// - Parameters:
  ///   - sink: takes the samples of all windows, and is told where each begins and ends.
  ///   - clock: of the stream's samples.
  ///   - leadIn: the part of the source before the stream begins.
  ///   - onBreak: called at the end of a window, on the writing thread.
  ///   - onChange: called when a pause begins or ends, on the writing thread.
  package init(
    _ sink: any AudioSink, _ schedule: RecordingSchedule, by clock: RecordingClock,
    leadIn: TimePosition = .samples(0), onBreak: @escaping () throws(AudioError) -> Void,
    onChange: @escaping (Change) -> Void
  ) {
    self.sink = sink
    self.schedule = ScheduleReader(schedule)
    self.clock = clock
    self.leadIn = leadIn
    self.onBreak = onBreak
    self.onChange = onChange
  }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    let rate = format.sampleRate
    let lead = Int128(leadIn.samples(at: rate)) * Int128(Self.perSecond) / Int128(rate)
    timeline = RecordingTimeline(clock, leadIn: Int64(clamping: lead), sampleRate: rate)
    return format
  }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let format, timeline != nil else { return .accepted }
    let channelCount = format.channelCount
    let end = position + Int64(samples.count / channelCount)
    _ = timeline?.observe(from: position, to: end, since: waited)
    var done = 0
    while position < end, let timeline {
      let state = schedule.state(at: second(of: position, timeline))
      if state.isOpen != isOpen { try change(to: state, timeline, format) }
      // Rounding may put the bound at this sample itself.
      let next = state.end.map { max(position + 1, timeline.position(at: $0)) } ?? end
      let count = Int(min(end, next) - position) * channelCount
      if state.isOpen {
        let status = try sink.write(samples.extracting(done..<done + count))
        if status == .readerGone { return status }
      }
      done += count
      position = min(end, next)
      if position == next { bound = state.end }
    }
    return .accepted
  }

  /// The second of the sample at a position. An estimate that becomes a little earlier does not come to a bound twice.
  private func second(of position: Int64, _ timeline: RecordingTimeline) -> Int {
    let second = Int(timeline.time(of: position).dividedDown(by: Self.perSecond))
    guard let bound, second < bound, second >= bound - Self.tolerance else { return second }
    return bound
  }

  private func change(
    to state: RecordingSchedule.State, _ timeline: RecordingTimeline, _ format: StreamFormat
  ) throws(AudioError) {
    let isFirst = isOpen == nil
    isOpen = state.isOpen
    if isFirst, state.isOpen { return }
    // Whatever holds samples back lets go of them, and counts on from here.
    try sink.receive(.leftOut(upTo: position))
    var kind = Change.Kind.resumed(behind: position - pausedAt)
    if !state.isOpen {
      if !isFirst { try onBreak() }
      pausedAt = position
      kind = .paused(until: state.end)
    }
    onChange(
      Change(
        kind: kind, position: position, time: timeline.time(of: position),
        sampleRate: format.sampleRate))
  }

  package func appendSilence(_ length: Int64) -> Bool { false }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    switch notice {
    case .waited(let duration): waited = duration
    case .leftOut(upTo: let position): self.position = position
    case .idle, .eventEnded: break
    }
    try sink.receive(notice)
  }
}
