/// Finds the events in a stream and hands their samples on.
///
/// What it lets through does not depend on how the stream is cut into blocks.
final class SoundGate<Sample: AudioSample> {
  private let sink: any AudioSink
  private let channelCount: Int
  private let sampleRate: Int
  private let threshold: Sample
  private let preRoll: Int64
  private let hold: Int64
  private let onEvent: (TriggeredSink.Event) -> Void
  /// The samples before the present position that an event would begin with.
  private let recent = SampleQueue<Sample>()
  /// Where the next sample stands.
  private var position: Int64 = 0
  private var event: Range<Int64>?

  init(
    _ sink: any AudioSink, channelCount: Int, sampleRate: Int, threshold: Double, preRoll: Int64,
    hold: Int64, onEvent: @escaping (TriggeredSink.Event) -> Void
  ) {
    self.sink = sink
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.threshold = Sample(threshold)
    self.preRoll = preRoll
    self.hold = hold
    self.onEvent = onEvent
  }

  /// Takes the next interleaved sample frames.
  func process(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    var start = 0
    while start < samples.count {
      let rest = samples.extracting(start..<samples.count)
      let taken = event == nil ? try wait(rest) : 0
      let (more, status) = try pass(samples.extracting(start + taken..<samples.count))
      if status == .readerGone { return status }
      start += taken + more
    }
    if event == nil { try (sink as? any RecordingSink)?.keepUp() }
    return .accepted
  }

  /// Between events: up to the next loud sample.
  ///
  /// - Returns: how many samples, over all channels, were taken.
  private func wait(_ samples: Span<Sample>) throws(AudioError) -> Int {
    let loud = Sample.firstIndex(in: samples, reaching: threshold)
    let quiet = (loud ?? samples.count) / channelCount * channelCount
    remember(samples.extracting(0..<quiet))
    position += Int64(quiet / channelCount)
    guard loud != nil else { return quiet }
    let beginning = position - Int64(recent.count / channelCount)
    event = beginning..<position + 1 + hold
    (sink as? SplittingSink)?.skip(to: beginning)
    return quiet
  }

  /// Within an event: up to where it ends, or to the end of `samples`.
  private func pass(_ samples: Span<Sample>) throws(AudioError) -> (Int, SinkStatus) {
    guard var event else { return (0, .accepted) }
    let total = Int64(samples.count / channelCount)
    // Every loud sample before the end moves the end on; what was looked at is not looked at again.
    var seen: Int64 = 0
    while true {
      let end = min(total, event.upperBound - position)
      guard end > seen else { break }
      let window = samples.extracting(Int(seen) * channelCount..<Int(end) * channelCount)
      if let loud = Sample.lastIndex(in: window, reaching: threshold) {
        let last = position + seen + Int64(loud / channelCount)
        event = event.lowerBound..<max(event.upperBound, last + 1 + hold)
      }
      seen = end
    }
    self.event = event
    let recent = recent
    if !recent.isEmpty {
      let status = try sink.write(recent.readable)
      recent.removeAll()
      if status == .readerGone { return (0, status) }
    }
    let count = Int(seen) * channelCount
    let status = try sink.write(samples.extracting(0..<count))
    position += seen
    if position == event.upperBound { try end() }
    return (count, status)
  }

  /// Keeps the samples for a pre-roll, and no more of them than that.
  private func remember(_ samples: Span<Sample>) {
    let capacity = Int(preRoll) * channelCount
    if samples.count >= capacity {
      recent.removeAll()
      recent.append(samples.extracting(samples.count - capacity..<samples.count))
    } else {
      recent.consume(max(0, recent.count + samples.count - capacity))
      recent.append(samples)
    }
  }
}

extension SoundGate: EndingGate {
  /// Ends the event that there is.
  func end() throws(AudioError) {
    guard let event else { return }
    self.event = nil
    try (sink as? SplittingSink)?.endEvent()
    onEvent(
      TriggeredSink.Event(samples: event.lowerBound..<position, sampleRate: sampleRate))
  }
}

/// A ``SoundGate`` of whatever sample type.
protocol EndingGate: AnyObject {
  /// The stream ends: what is let through ends with it.
  func end() throws(AudioError)
}
