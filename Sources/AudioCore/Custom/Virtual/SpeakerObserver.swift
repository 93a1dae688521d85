// SPDX-License-Identifier: Apache-2.0
/// Copies frames to the streams of a virtual speaker: those of each source on entering the sum, and those of the shared
/// sources' sum. Session thread only.
final class SpeakerObserver: BeforeMixingObserver, SharedObserver, OwnShapeObserver,
  HearingObserver
{
  private let streams: SpeakerStreams
  private var links: [SourceKey: PullLink?] = [:]
  private var generation = -1

  init(_ streams: SpeakerStreams) { self.streams = streams }

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
    let key = SourceKey(source, in: frame.group)
    if links[key] == nil { links.updateValue(streams.link(of: key), forKey: key) }
    if let link = links[key] ?? nil { _ = link.write(frame.samples.span) }
    return true
  }

  func shared(_ frame: inout AudioFrame<Float>) {
    _ = streams.shared.link?.write(frame.samples.span)
  }
}
