extension Strand {
  /// Adds the stages that turn the strand's format into `target`; none where they are equal.
  ///
  /// Channels are converted on the side of the rate conversion that has fewer of them.
  func convert(
    to target: StreamFormat, with filters: ResamplerFilters<Sample>
  ) throws(AudioError) {
    if target.channelCount < format.channelCount {
      try convert(toChannelCount: target.channelCount)
    }
    if target.sampleRate != format.sampleRate {
      let filter = filters.filter(from: format.sampleRate, to: target.sampleRate)
      try append(
        Resampler<Sample>(
          from: format, sampleRate: target.sampleRate, filter: filter,
          crew: filters.crewForNextStream()))
    }
    if target.channelCount != format.channelCount {
      try convert(toChannelCount: target.channelCount)
    }
  }

  /// The same with filters of its own.
  func convert(to target: StreamFormat, quality: ResamplerQuality) throws(AudioError) {
    try convert(to: target, with: ResamplerFilters(quality: quality))
  }

  func convert(toChannelCount channelCount: Int) throws(AudioError) {
    try append(ChannelConversion<Sample>(from: format, channelCount: channelCount))
  }
}
