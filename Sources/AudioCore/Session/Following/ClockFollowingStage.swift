// SPDX-License-Identifier: Apache-2.0
/// Converts the stream of one device to another device's clock, at a constant delay.
///
/// It stands in the stream of a paced source, in front of a paced sink or of the sum for such a sink. With each piece
/// of samples it compares the positions of both devices, and derives the number of outputs for the next inputs. Session
/// thread only.
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
  /// Adds the stages that convert the chain's format to `target`, following another device's clock.
  ///
  /// - Parameters:
  ///   - read: the samples that the session has read of the source.
  ///   - before: the samples in the stream before the stage's own outputs, at their rate.
  func convert(
    to target: StreamFormat, _ plan: ClockFollowingPlan, quality: ResamplerQuality,
    read: SampleCount, before: SampleCount
  ) throws(AudioError) -> FollowedStream {
    let ends = FollowedEnds(
      from: plan.sourceClock, plan.sourceTiming, to: plan.sinkClock, plan.sinkTiming, read: read,
      before: before)
    let stream = FollowedStream(
      plan.latency, ends, from: format.sampleRate, to: target.sampleRate,
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
