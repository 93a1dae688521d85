/// Brings the stream of one device to another device's clock, at a delay that stays what it is.
///
/// It stands where a source that a device paces enters what another device paces: before the sink, or
/// before the sum that goes to it. Whenever samples come it looks at where both devices are, and takes from
/// that how many outputs the next inputs make. Session thread only.
final class ClockFollowingStage<Sample: AudioSample>: StreamStage {
  let ends: FollowedEnds
  let stream: FollowedStream
  private let resampler: VaryingResampler<Sample>

  convenience init(_ plan: ClockFollowingPlan, _ resampler: VaryingResampler<Sample>) {
    let ends = plan.ends
    let stream = FollowedStream(
      plan.latency, ends, from: resampler.inputFormat.sampleRate,
      to: resampler.outputFormat.sampleRate,
      SessionReport.Following(
        source: plan.source.entry.id, place: plan.sink.place, latency: plan.latency.total))
    self.init(stream, ends, resampler)
  }

  init(_ stream: FollowedStream, _ ends: FollowedEnds, _ resampler: VaryingResampler<Sample>) {
    self.stream = stream
    self.ends = ends
    self.resampler = resampler
  }

  var inputFormat: StreamFormat { resampler.inputFormat }
  var outputFormat: StreamFormat { resampler.outputFormat }

  /// Puts the silence that is the delay at the end of the stage's strand, so that the playing device starts
  /// with a full buffer. Once, before the first sample.
  func prime(_ strand: Strand<Sample>) {
    strand.output.appendSilence(stream.begin() * strand.format.channelCount)
  }

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
