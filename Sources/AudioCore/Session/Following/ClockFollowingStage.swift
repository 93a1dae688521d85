// SPDX-License-Identifier: Apache-2.0
/// Brings the stream of one device to another device's clock, at a delay that stays what it is.
///
/// It stands where a source that a device paces enters what another device paces: before the sink, or
/// before the sum that goes to it. Whenever samples come it looks at where both devices are, and takes from
/// that how many outputs the next inputs make. Session thread only.
final class ClockFollowingStage<Sample: AudioSample>: StreamStage {
  private let stream: FollowedStream
  private let resampler: AsynchronousResampler<Sample>

  init(_ stream: FollowedStream, _ resampler: AsynchronousResampler<Sample>) {
    self.stream = stream
    self.resampler = resampler
  }

  var inputFormat: StreamFormat { resampler.inputFormat }
  var outputFormat: StreamFormat { resampler.outputFormat }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let dropped = stream.inputsToDrop(of: input.count / width) * width
    let before = output.count
    resampler.process(input.extracting(droppingFirst: dropped), into: output)
    stream.made((output.count - before) / width)
    let (correction, silence) = stream.follow(next: resampler.inputPosition, step: resampler.step)
    resampler.correction = correction
    output.appendSilence(silence * width)
  }

  func finish(into output: SampleQueue<Sample>) { resampler.finish(into: output) }
}

extension Chain {
  /// Adds the stages that turn the chain's format into `target`, following another device's clock on the
  /// way.
  ///
  /// - Parameters:
  ///   - read: counts what the session has read of the source.
  ///   - before: counts what stands in the stream before the stage's own outputs, at their rate.
  func convert(
    to target: StreamFormat, _ plan: ClockFollowingPlan, quality: ResamplerQuality,
    read: SampleCount, before: SampleCount
  ) throws(AudioError) -> FollowedStream {
    let stream = FollowedStream(
      plan.latency, plan.ends(read: read, before: before), from: format.sampleRate,
      to: target.sampleRate,
      SessionReport.Following(
        source: plan.source.entry.key, place: plan.sink.place, latency: plan.latency.total))
    try convert(toChannelCount: target.channelCount) { () throws(AudioError) in
      let resampler = try AsynchronousResampler<Sample>(
        from: format, sampleRate: target.sampleRate, quality: quality)
      append(ClockFollowingStage(stream, resampler))
    }
    return stream
  }
}
