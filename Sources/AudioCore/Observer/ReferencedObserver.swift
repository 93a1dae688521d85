// SPDX-License-Identifier: Apache-2.0
/// An observer of record that gets the samples of the loudspeaker, too, such as an echo canceller.
///
/// The session needs a playback sink and a local source that are both devices, or both no devices, such as files. Between
/// two devices the reference follows the microphone's clock, and the latencies that both devices state are in it.
package protocol ReferencedObserver: AudioObserver {
  /// Receives a frame of the local source, and the samples that the playback sink played at the same time.
  ///
  /// - Parameter played: as long as the frame, in ``ObservedStream/playedFormat``; silence while nothing was played.
  /// - Returns: whether to send the frame back.
  func record(_ frame: inout AudioFrame<Float>, played: Span<Float>) -> Bool
}

/// The samples that were played while a microphone captured. Session thread only.
protocol PlayedSamples: AnyObject {
  /// The rate of the observer's frames, and the channels of the playback sink.
  var format: StreamFormat { get }

  /// Appends the samples of `count` positions of the record from `position` on, which never goes back.
  ///
  /// - Parameters:
  ///   - position: in samples per channel.
  ///   - count: in samples per channel.
  func take(at position: Int64, _ count: Int, into output: inout OutputSpan<Float>)
}

extension ReferencedObserver {
  func referencedStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>
  ) throws(AudioError) -> any ObservingStage<Stream> {
    let (played, buffer) = (setting.played, FrameBuffer<Float>())
    return try FrameStage<Float, Stream>(setting) { (observer: Self, frame) in
      let count = frame.samplesPerChannel
      buffer.refill(atMost: count * (played?.format.channelCount ?? 0)) {
        played?.take(at: frame.samplePosition, count, into: &$0)
      }
      return observer.record(&frame, played: buffer.readable)
    }
  }
}
