/// Copies the frames before mixing to the streams of a virtual speaker. Session thread only.
final class SpeakerObserver: BeforeMixingObserver {
  private let streams: SpeakerStreams
  private let sum: SharedSum
  private var links: [SourceID: PullLink?] = [:]
  private var generation = -1

  init(_ streams: SpeakerStreams, _ sharedSources: Set<SourceID>) {
    self.streams = streams
    sum = SharedSum(of: sharedSources, into: streams.shared.link, format: streams.format)
  }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(
      sampleRate: streams.format.sampleRate, channelCount: streams.format.channelCount)
  }

  func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceID) -> Bool {
    let current = streams.currentGeneration
    if current != generation {
      links.removeAll(keepingCapacity: true)
      generation = current
    }
    if links[source] == nil {
      links.updateValue(streams.link(of: source), forKey: source)
    }
    if let link = links[source] ?? nil { _ = link.write(frame.samples.span) }
    sum.add(
      frame.samples.span, from: source, at: frame.samplePosition, isLast: frame.isPartial)
    return true
  }

  /// Hands on what the sum holds and ends all streams.
  func end(_ reason: StopReason) {
    sum.flush()
    streams.end(reason)
  }
}

/// Adds the frames of several sources that arrive one after the other. Session thread only.
///
/// The sum goes out as far as every source has come. Observers are not told that a source has ended,
/// unless its last frame is short: a source that stays behind by more than two running ones can be
/// apart has ended, and the sum goes on without it.
final class SharedSum {
  private let target: PullLink?
  private let channelCount: Int
  private let window = SampleQueue<Float>()
  /// Samples in the window beyond which a source that has not come so far is taken to have ended.
  private let longestWindow: Int
  /// Samples per channel that went out.
  private var begin: Int64 = 0
  /// How far each source has come, in samples per channel; `Int64.max` once it has ended.
  private var positions: [SourceID: Int64]

  init(of sources: Set<SourceID>, into target: PullLink?, format: StreamFormat) {
    self.target = target
    channelCount = format.channelCount
    longestWindow = SpeakerStreams.longestLead(format) * format.channelCount
    positions = Dictionary(uniqueKeysWithValues: sources.map { ($0, 0) })
  }

  /// Adds a frame that begins at `position`, in samples per channel from its source's beginning.
  func add(_ samples: Span<Float>, from source: SourceID, at position: Int64, isLast: Bool) {
    guard positions[source] != nil else { return }
    let late = min(Int(max(0, begin - position)) * channelCount, samples.count)
    let offset = Int(max(0, position - begin)) * channelCount
    let added = samples.extracting(droppingFirst: late)
    let window = window
    window.appendSilence(max(0, offset + added.count - window.count))
    var total = window.writable(offset..<offset + added.count)
    Float.add(added, to: &total)
    positions[source] = isLast ? .max : position + Int64(samples.count / channelCount)
    emit()
  }

  /// Hands on everything: no more frames come.
  func flush() { emit(window.count) }

  private func emit() {
    let held = Int64(window.count / channelCount)
    let common = positions.values.min() ?? .max
    let ready = Int(max(0, min(common - begin, held))) * channelCount
    emit(max(ready, window.count - longestWindow))
  }

  private func emit(_ sampleCount: Int) {
    if sampleCount == 0 { return }
    let window = window
    _ = target?.write(window.readable.extracting(first: sampleCount))
    window.consume(sampleCount)
    begin += Int64(sampleCount / channelCount)
  }
}
