// SPDX-License-Identifier: Apache-2.0
@testable import AudioStreams
@testable import AudioCore

/// A capturing and a playing device in virtual time, and the followed stream between them.
final class SimulatedDuplex {
  let capture: SimulatedDevice
  let playback: SimulatedDevice
  let latency: FollowingLatency
  let stream: FollowedStream
  private let read = SampleCount()
  /// The outputs written to the playing device, with the silence at the beginning.
  var written: Int64

  /// - Parameter resampler: the look-ahead beyond an output's place, in seconds.
  init(_ capture: SimulatedDevice, _ playback: SimulatedDevice, resampler: Double) throws {
    self.capture = capture
    self.playback = playback
    latency = FollowingLatency(
      from: capture.agreed, to: playback.agreed, resampler: .seconds(resampler), observers: .zero)
    let ends = FollowedEnds(
      from: capture, capture.agreed, to: playback, playback.agreed, read: read,
      before: SampleCount())
    stream = FollowedStream(
      latency, ends, from: capture.agreed.sampleRate,
      to: playback.agreed.sampleRate,
      SessionReport.Following(source: .local, place: .publish, latency: latency.total))
    written = Int64(stream.begin())
  }

  /// Runs to the next captured period, which the session sees now.
  ///
  /// - Returns: the time, and the samples left in the playing device and its ring.
  func capturePeriod() -> (time: Double, left: Double) {
    while playback.nextPeriod < capture.nextPeriod { playback.finishPeriod() }
    let time = capture.finishPeriod()
    read.samplesPerChannel += Int64(capture.period)
    return (time, Double(written) - playback.position(at: time))
  }
}
