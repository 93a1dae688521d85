extension Strand {
  /// Adds the stages that turn the strand's format into `target`, following another device's clock on the
  /// way.
  ///
  /// Channels are converted on the side of the rate conversion that has fewer of them.
  func convert(
    to target: StreamFormat, _ plan: ClockFollowingPlan, quality: ResamplerQuality
  ) throws(AudioError) -> ClockFollowingStage<Sample> {
    if target.channelCount < format.channelCount {
      try convert(toChannelCount: target.channelCount)
    }
    let resampler = try VaryingResampler<Sample>(
      from: format, sampleRate: target.sampleRate, quality: quality)
    let stage = ClockFollowingStage(plan, resampler)
    append(stage)
    if target.channelCount != format.channelCount {
      try convert(toChannelCount: target.channelCount)
    }
    return stage
  }
}
