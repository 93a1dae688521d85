// SPDX-License-Identifier: Apache-2.0
/// Copies the frames before mixing to the streams of a virtual speaker. Session thread only.
final class SpeakerObserver: BeforeMixingObserver, OwnShapeObserver {
  private let streams: SpeakerStreams
  private let sharedSources: Set<SourceID>
  private let sum: SharedSum
  private var links: [SourceID: PullLink?] = [:]
  private var generation = -1

  init(_ streams: SpeakerStreams, _ sharedSources: Set<SourceID>) {
    self.streams = streams
    self.sharedSources = sharedSources
    sum = SharedSum(into: streams.shared.link, format: streams.format)
  }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(
      sampleRate: streams.format.sampleRate, channelCount: streams.format.channelCount)
  }

  func begin(_ stream: ObservedStream) throws(AudioError) {
    if let source = stream.source, sharedSources.contains(source) { sum.begin(source) }
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
    sum.add(frame.samples.span, from: source, at: frame.samplePosition)
    return true
  }

  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    if let source = stream.source { sum.end(source) }
  }

  /// The mix has come to `position`, in samples per channel.
  func follow(mixAt position: Int64) { sum.follow(mixAt: position) }

  /// Ends all streams; after `finished` they have everything that their sources gave.
  func endStreams(_ reason: StopReason) {
    if reason == .finished { sum.finish() }
    streams.end(reason)
  }
}
