/// Copies the frames before mixing to the streams of a virtual speaker. Session thread only.
final class SpeakerObserver: BeforeMixingObserver {
  private let streams: SpeakerStreams
  private let sum: SharedSum
  private var channels: [SourceID: PullChannel?] = [:]
  private var generation = -1

  init(_ streams: SpeakerStreams, _ sharedSources: Set<SourceID>) {
    self.streams = streams
    sum = SharedSum(of: sharedSources, into: streams.shared.channel, format: streams.format)
  }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(
      sampleRate: streams.format.sampleRate, channelCount: streams.format.channelCount)
  }

  func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceID) -> Bool {
    let current = streams.currentGeneration
    if current != generation {
      channels.removeAll(keepingCapacity: true)
      generation = current
    }
    if channels[source] == nil {
      channels.updateValue(streams.channel(of: source), forKey: source)
    }
    if let channel = channels[source] ?? nil { _ = channel.write(frame.samples.span) }
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
