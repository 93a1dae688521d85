// SPDX-License-Identifier: Apache-2.0
/// Passes a stream on to another sink only while there is sound, onset included.
///
/// An event begins `preRoll` before a sample that reaches the threshold on any channel. It ends when `hold` has passed
/// since the last such sample, and the longest pause. Events never overlap: samples of one are not in the pre-roll of the next. Samples are
/// compared as the sink gets them, before rounding. Session thread only.
public final class TriggeredSink: AudioSink, ComposedSink {
  /// The conditions of an event.
  public struct Trigger: Sendable, Hashable {
    /// In dBFS; a sample of full scale is at 0.
    public var threshold: Double
    /// The length in front of the first loud sample.
    public var preRoll: TimePosition
    /// The length behind the last loud sample.
    public var hold: TimePosition
    /// The least length from the first to the last loud sample. A shorter event is dropped.
    public var leastLength = TimePosition.samples(0)
    /// The longest pause between two loud samples of one event, if it exceeds ``hold``. The pause is passed on.
    public var longestPause = TimePosition.samples(0)
    /// The frequencies in which a sample is loud; nil = all. The sink gets all of them.
    public var band: FrequencyBand?

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
  package var behind: any AudioSink { sink }
  private let trigger: Trigger
  private let onEvent: (Event) -> Void
  private var format: StreamFormat?
  private var band: TriggerBand?
  private var gate: SoundGate?
  /// The position of the first sample.
  private var origin: Int64 = 0

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

  /// - Throws: the error of the other sink; `unsupported` if that sink is live, for a device cannot wait for sound;
  ///   `invalidParameter` if the band is not below half the rate.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard !sink.pace.isLive else {
      throw AudioError(
        .unsupported, cannot: "wait for sound", "", because: "the sink plays at a device's pace",
        advice: "give it the sink of a file")
    }
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    band = try trigger.band.map { (band) throws(AudioError) in try TriggerBand(band, format) }
    return format
  }

  public func start() throws(AudioError) { try sink.start() }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    try gate(for: Sample.precision).process(samples)
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    if reason == .finished { try gate?.endStream() }
    try sink.stop(reason)
  }

  public func dispose() { sink.dispose() }

  public func receive(_ notice: SinkNotice) throws(AudioError) {
    if case .leftOut(upTo: let position) = notice {
      origin = position
      try gate?.leaveOut(upTo: position)
    }
    try sink.receive(notice)
  }

  private func gate(for precision: SamplePrecision) throws(AudioError) -> SoundGate {
    if let gate, gate.precision == precision { return gate }
    guard let format, gate == nil else {
      throw AudioError(
        .lifeCycle, cannot: "wait for sound", "",
        because: gate == nil ? "it is not initialised" : "the type of the samples changes")
    }
    let made = try SoundGate(
      sink, precision, format, trigger, band, from: origin, onEvent: onEvent)
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
  /// Nil if all frequencies count.
  private let band: TriggerBand?
  private let preRoll: Int64
  private let hold: Int64
  private let leastLength: Int64
  private let longestPause: Int64
  private let onEvent: (TriggeredSink.Event) -> Void
  /// The samples that are held back: those with which an event would begin, those of an event that is still too short,
  /// and those of a pause that another sound may end.
  private let held: any HeldSamples
  /// The position of the next sample.
  private var position: Int64
  private var state = State.quiet
  /// The beginning of the event, its first and its last loud sample.
  private var (beginning, firstLoud, lastLoud): (Int64, Int64, Int64) = (0, 0, 0)
  /// Whether the event is long enough, and so passed on.
  private var isConfirmed = false

  private enum State {
    case quiet
    case event
    /// The event is over unless a sound comes soon.
    case pause
  }

  init(
    _ sink: any AudioSink, _ precision: SamplePrecision, _ format: StreamFormat,
    _ trigger: TriggeredSink.Trigger, _ band: TriggerBand?, from start: Int64,
    onEvent: @escaping (TriggeredSink.Event) -> Void
  ) throws(AudioError) {
    self.sink = sink
    position = start
    self.precision = precision
    self.band = band
    held = precision.heldSamples
    channelCount = format.channelCount
    sampleRate = format.sampleRate
    threshold = Decibels.factor(trigger.threshold)
    preRoll = try trigger.preRoll.length(at: sampleRate, as: "pre-roll")
    hold = try trigger.hold.length(at: sampleRate, as: "hold")
    leastLength = try trigger.leastLength.length(at: sampleRate, as: "least length")
    longestPause = try trigger.longestPause.length(at: sampleRate, as: "longest pause")
    self.onEvent = onEvent
  }

  func process<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    band?.take(samples)
    var start = 0
    while start < samples.count {
      let rest = samples.extracting(start..<samples.count)
      switch state {
      case .quiet: start += wait(rest, at: start)
      case .pause: start += try pause(rest, at: start)
      case .event:
        let (count, status) = try pass(rest, at: start)
        if status == .readerGone { return status }
        start += count
      }
    }
    if case .quiet = state { try sink.receive(.idle) }
    return .accepted
  }

  /// Where the event ends if no other loud sample comes.
  private var end: Int64 { lastLoud + 1 + hold }

  /// The first loud sample of some at a place in the block.
  private func firstLoud<Sample: AudioSample>(_ samples: Span<Sample>, at place: Int) -> Int? {
    guard let band else { return Sample.firstIndex(in: samples, atLeast: threshold) }
    return band.firstIndex(in: place..<place + samples.count, atLeast: threshold)
  }

  /// The last loud sample of some at a place in the block.
  private func lastLoud<Sample: AudioSample>(_ samples: Span<Sample>, at place: Int) -> Int? {
    guard let band else { return Sample.lastIndex(in: samples, atLeast: threshold) }
    return band.lastIndex(in: place..<place + samples.count, atLeast: threshold)
  }

  /// Searches for the next loud sample between events.
  ///
  /// - Parameter place: of the samples in the block.
  /// - Returns: the number of samples taken, over all channels.
  private func wait<Sample: AudioSample>(_ samples: Span<Sample>, at place: Int) -> Int {
    let loud = firstLoud(samples, at: place)
    let quiet = (loud ?? samples.count) / channelCount * channelCount
    remember(samples.extracting(0..<quiet))
    position += Int64(quiet / channelCount)
    guard loud != nil else { return quiet }
    beginning = position - Int64(held.count / channelCount)
    firstLoud = position
    lastLoud = position
    state = .event
    isConfirmed = false
    return quiet
  }

  /// Passes samples on, up to the end of the event or of `samples`.
  private func pass<Sample: AudioSample>(
    _ samples: Span<Sample>, at place: Int
  ) throws(AudioError) -> (Int, SinkStatus) {
    let total = Int64(samples.count / channelCount)
    // Every loud sample before the end moves the end on. `seen` keeps the search from repeating.
    var seen: Int64 = 0
    while true {
      let next = min(total, end - position)
      guard next > seen else { break }
      let window = samples.extracting(Int(seen) * channelCount..<Int(next) * channelCount)
      if let loud = lastLoud(window, at: place + Int(seen) * channelCount) {
        lastLoud = max(lastLoud, position + seen + Int64(loud / channelCount))
      }
      seen = next
    }
    let count = Int(seen) * channelCount
    let block = samples.extracting(0..<count)
    if !isConfirmed, lastLoud + 1 - firstLoud >= leastLength {
      isConfirmed = true
      try sink.receive(.leftOut(upTo: beginning))
    }
    var status = SinkStatus.accepted
    if isConfirmed {
      if held.count > 0 {
        status = try held.write(0..<held.count, to: sink)
        held.removeAll()
      }
      if status != .readerGone { status = try sink.write(block) }
    } else {
      held.keep(block)
    }
    position += seen
    if position == end {
      if longestPause > hold { state = .pause } else { try finish() }
    }
    return (count, status)
  }

  /// Holds the samples of a pause back until another sound comes, or the pause is too long.
  ///
  /// - Returns: the number of samples taken, over all channels.
  private func pause<Sample: AudioSample>(
    _ samples: Span<Sample>, at place: Int
  ) throws(AudioError) -> Int {
    let last = lastLoud + 1 + longestPause
    let most = Int(min(Int64(samples.count / channelCount), last - position)) * channelCount
    let window = samples.extracting(0..<most)
    let loud = firstLoud(window, at: place)
    let count = loud.map { $0 / channelCount * channelCount } ?? most
    held.keep(window.extracting(0..<count))
    position += Int64(count / channelCount)
    if loud != nil {
      state = .event
      lastLoud = position
    } else if position == last {
      try finish()
    }
    return count
  }

  /// Keeps the latest samples, at most a pre-roll of them.
  private func remember<Sample: AudioSample>(_ samples: Span<Sample>) {
    let capacity = Int(preRoll) * channelCount
    if samples.count >= capacity {
      held.removeAll()
      held.keep(samples.extracting(samples.count - capacity..<samples.count))
    } else {
      held.consume(max(0, held.count + samples.count - capacity))
      held.keep(samples)
    }
  }

  private func finish() throws(AudioError) {
    try endEvent(at: end)
    held.consume(max(0, held.count - Int(preRoll) * channelCount))
  }

  /// Ends the event. The next sample has this position, and no sample before it is in its pre-roll.
  func leaveOut(upTo position: Int64) throws(AudioError) {
    try endStream()
    held.removeAll()
    self.position = position
  }

  /// Ends the event at the end of the stream.
  func endStream() throws(AudioError) {
    switch state {
    case .quiet: break
    case .event: try endEvent(at: position)
    case .pause: try endEvent(at: end)
    }
  }

  private func endEvent(at end: Int64) throws(AudioError) {
    state = .quiet
    guard isConfirmed else { return }
    try sink.receive(.eventEnded)
    onEvent(TriggeredSink.Event(samples: beginning..<end, sampleRate: sampleRate))
  }
}
