// SPDX-License-Identifier: Apache-2.0
/// Finds the events in a stream and passes their samples on.
///
/// Its output does not depend on the sizes of the blocks.
final class SoundGate {
  let precision: SamplePrecision
  private let sink: any AudioSink
  private let channelCount: Int
  private let sampleRate: Int
  private let loudness: any TriggerLoudness
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
    _ trigger: TriggeredSink.Trigger, _ loudness: any TriggerLoudness, from start: Int64,
    onEvent: @escaping (TriggeredSink.Event) -> Void
  ) throws(AudioError) {
    self.sink = sink
    position = start
    self.precision = precision
    self.loudness = loudness
    held = precision.heldSamples
    channelCount = format.channelCount
    sampleRate = format.sampleRate
    preRoll = try trigger.preRoll.length(at: sampleRate, as: "pre-roll")
    hold = try trigger.hold.length(at: sampleRate, as: "hold")
    leastLength = try trigger.leastLength.length(at: sampleRate, as: "least length")
    longestPause = try trigger.longestPause.length(at: sampleRate, as: "longest pause")
    self.onEvent = onEvent
  }

  func process<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    let status = try loudness.judge(samples, for: self)
    if status != .readerGone, case .quiet = state { try sink.receive(.idle) }
    return status
  }

  /// Takes the next samples whose ``loudness`` is known.
  func take<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
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
    return .accepted
  }

  /// Where the event ends if no other loud sample comes.
  private var end: Int64 { lastLoud + 1 + hold }

  /// Searches for the next loud sample between events.
  ///
  /// - Parameter place: of the samples in the block.
  /// - Returns: the number of samples taken, over all channels.
  private func wait<Sample: AudioSample>(_ samples: Span<Sample>, at place: Int) -> Int {
    let loud = loudness.first(in: samples, at: place)
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
    // Every loud sample up to the end moves the end on, also one right behind it: events never touch. `seen` keeps the search
    // from repeating.
    var seen: Int64 = 0
    while true {
      let next = min(total, end + 1 - position)
      guard next > seen else { break }
      let window = samples.extracting(Int(seen) * channelCount..<Int(next) * channelCount)
      if let loud = loudness.last(in: window, at: place + Int(seen) * channelCount) {
        lastLoud = max(lastLoud, position + seen + Int64(loud / channelCount))
      }
      seen = next
    }
    seen = min(seen, end - position)
    let isOver = seen < total
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
      if status != .readerGone, count > 0 { status = try sink.write(block) }
    } else {
      held.keep(block)
    }
    position += seen
    if isOver {
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
    let loud = loudness.first(in: window, at: place)
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
    _ = try loudness.finish(for: self)
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
