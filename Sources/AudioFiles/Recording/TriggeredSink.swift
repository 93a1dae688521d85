// SPDX-License-Identifier: Apache-2.0
/// Passes a stream on to another sink only while there is sound, onset included.
///
/// An event begins `preRoll` before a sample that reaches the threshold on any channel. It ends when `hold` has passed
/// since the last such sample. Events never overlap: samples of one are not in the pre-roll of the next. Samples are
/// compared as the sink gets them, before rounding. Session thread only.
public final class TriggeredSink: AudioSink {
  /// The conditions of an event.
  public struct Trigger: Sendable, Hashable {
    /// In dBFS; a sample of full scale is at 0.
    public var threshold: Double
    /// The length in front of the first loud sample.
    public var preRoll: TimePosition
    /// The length behind the last loud sample.
    public var hold: TimePosition

    /// Half a second before and two seconds after, by default.
    public init(
      threshold: Double, preRoll: TimePosition = .time(.milliseconds(500)),
      hold: TimePosition = .time(.seconds(2))
    ) {
      self.threshold = threshold
      self.preRoll = preRoll
      self.hold = hold
    }
  }

  /// A stretch that was passed on.
  public struct Event: Sendable, Hashable {
    /// Its samples, per channel from the start of the stream.
    public var samples: Range<Int64>
    /// The rate of ``samples``, in hertz.
    public var sampleRate: Int
  }

  private let sink: any AudioSink
  private let trigger: Trigger
  private let onEvent: (Event) -> Void
  private var format: StreamFormat?
  private var gate: SoundGate?

  /// - Parameters:
  ///   - sink: takes the events, and is told their beginnings and ends.
  ///   - trigger: the conditions of an event.
  ///   - onEvent: called at the end of an event, on the writing thread.
  public init(
    _ sink: any AudioSink, _ trigger: Trigger, onEvent: @escaping (Event) -> Void = { _ in }
  ) {
    self.sink = sink
    self.trigger = trigger
    self.onEvent = onEvent
  }

  public var precision: SamplePrecision { sink.precision }
  public var room: Int { .max }

  /// - Throws: the error of the other sink; `unsupported` if that sink is live, for a device cannot wait for sound.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard !sink.pace.isLive else {
      throw AudioError(
        .unsupported, cannot: "wait for sound", "", because: "the sink plays at a device's pace")
    }
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    return format
  }

  public func start() throws(AudioError) { try sink.start() }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    try gate(for: Sample.precision).process(samples)
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    if reason == .finished { try gate?.end() }
    try sink.stop(reason)
  }

  public func dispose() { sink.dispose() }

  public func receive(_ notice: SinkNotice) throws(AudioError) { try sink.receive(notice) }

  private func gate(for precision: SamplePrecision) throws(AudioError) -> SoundGate {
    if let gate, gate.precision == precision { return gate }
    guard let format, gate == nil else {
      throw AudioError(
        .lifeCycle, cannot: "wait for sound", "",
        because: gate == nil ? "it is not initialised" : "the type of the samples changes")
    }
    let made = try SoundGate(
      sink, precision, format, trigger, onEvent: onEvent)
    gate = made
    return made
  }
}

/// Finds the events in a stream and passes their samples on.
///
/// Its output does not depend on the sizes of the blocks.
private final class SoundGate {
  let precision: SamplePrecision
  private let sink: any AudioSink
  private let channelCount: Int
  private let sampleRate: Int
  private let threshold: Double
  private let preRoll: Int64
  private let hold: Int64
  private let onEvent: (TriggeredSink.Event) -> Void
  /// The samples before the present position with which an event would begin.
  private let recent: any PreRoll
  /// The position of the next sample.
  private var position: Int64 = 0
  private var event: Range<Int64>?

  init(
    _ sink: any AudioSink, _ precision: SamplePrecision, _ format: StreamFormat,
    _ trigger: TriggeredSink.Trigger, onEvent: @escaping (TriggeredSink.Event) -> Void
  ) throws(AudioError) {
    self.sink = sink
    self.precision = precision
    recent =
      switch precision {
      case .single: SampleQueue<Float>()
      case .double: SampleQueue<Double>()
      }
    channelCount = format.channelCount
    sampleRate = format.sampleRate
    threshold = Decibels.factor(trigger.threshold)
    preRoll = try trigger.preRoll.length(at: sampleRate, as: "pre-roll")
    hold = try trigger.hold.length(at: sampleRate, as: "hold")
    self.onEvent = onEvent
  }

  func process<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    var start = 0
    while start < samples.count {
      let rest = samples.extracting(start..<samples.count)
      let taken = event == nil ? try wait(rest) : 0
      let (more, status) = try pass(samples.extracting(start + taken..<samples.count))
      if status == .readerGone { return status }
      start += taken + more
    }
    if event == nil { try sink.receive(.idle) }
    return .accepted
  }

  /// Searches for the next loud sample between events.
  ///
  /// - Returns: the number of samples taken, over all channels.
  private func wait<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> Int {
    let loud = Sample.firstIndex(in: samples, atLeast: threshold)
    let quiet = (loud ?? samples.count) / channelCount * channelCount
    remember(samples.extracting(0..<quiet))
    position += Int64(quiet / channelCount)
    guard loud != nil else { return quiet }
    let beginning = position - Int64(recent.count / channelCount)
    event = beginning..<position + 1 + hold
    try sink.receive(.leftOut(upTo: beginning))
    return quiet
  }

  /// Passes samples on, up to the end of the event or of `samples`.
  private func pass<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> (Int, SinkStatus) {
    guard var event else { return (0, .accepted) }
    let total = Int64(samples.count / channelCount)
    // Every loud sample before the end moves the end on. `seen` keeps the search from repeating.
    var seen: Int64 = 0
    while true {
      let end = min(total, event.upperBound - position)
      guard end > seen else { break }
      let window = samples.extracting(Int(seen) * channelCount..<Int(end) * channelCount)
      if let loud = Sample.lastIndex(in: window, atLeast: threshold) {
        let last = position + seen + Int64(loud / channelCount)
        event = event.lowerBound..<max(event.upperBound, last + 1 + hold)
      }
      seen = end
    }
    self.event = event
    if recent.count > 0 {
      let status = try recent.write(to: sink)
      recent.removeAll()
      if status == .readerGone { return (0, status) }
    }
    let count = Int(seen) * channelCount
    let status = try sink.write(samples.extracting(0..<count))
    position += seen
    if position == event.upperBound { try end() }
    return (count, status)
  }

  /// Keeps the latest samples, at most a pre-roll of them.
  private func remember<Sample: AudioSample>(_ samples: Span<Sample>) {
    let capacity = Int(preRoll) * channelCount
    if samples.count >= capacity {
      recent.removeAll()
      recent.keep(samples.extracting(samples.count - capacity..<samples.count))
    } else {
      recent.consume(max(0, recent.count + samples.count - capacity))
      recent.keep(samples)
    }
  }

  func end() throws(AudioError) {
    guard let event else { return }
    self.event = nil
    try sink.receive(.eventEnded)
    onEvent(
      TriggeredSink.Event(samples: event.lowerBound..<position, sampleRate: sampleRate))
  }
}

/// The samples with which an event would begin, in the session's type.
private protocol PreRoll: AnyObject {
  var count: Int { get }
  func keep<Sample: AudioSample>(_ samples: Span<Sample>)
  func consume(_ sampleCount: Int)
  func removeAll()
  func write(to sink: any AudioSink) throws(AudioError) -> SinkStatus
}

extension SampleQueue: PreRoll {
  fileprivate func keep<Origin: AudioSample>(_ samples: Span<Origin>) {
    append(atMost: samples.count) { output in Sample.accept(samples, into: &output) }
  }

  fileprivate func write(to sink: any AudioSink) throws(AudioError) -> SinkStatus {
    try sink.write(readable)
  }
}
