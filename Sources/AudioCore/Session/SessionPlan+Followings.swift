extension SessionPlan {
  /// Finds the devices whose clocks differ: the local source and the sinks that it reaches, the incoming
  /// ones and that of their sum.
  ///
  /// - Parameter quality: of the resampler between them.
  mutating func settleFollowings(quality: ResamplerQuality) {
    if let local, let record {
      if let publish = sink(.publish) {
        follow(local, to: publish, record.outputFormat, publish.format, past: [record], quality)
      }
      if let mixed {
        follow(
          local, to: sink(.mixed), record.outputFormat, mixFormat, past: [record, mixed], quality)
      }
    }
    guard let playback else { return }
    // A sum that is not played goes at the pace of the mixed one, if that is.
    let isPlayed = sink(.playback)?.sink.pace.clock != nil
    for (source, position) in zip(incoming, beforeMixing) {
      let later = isPlayed ? [playback] : [playback] + (mixed.map { [$0] } ?? [])
      follow(
        source, to: sink(isPlayed ? .playback : .mixed), position.outputFormat, mixFormat,
        past: [position] + later, quality)
    }
  }

  private mutating func follow(
    _ source: SourceLife, to sink: SinkLife?, _ input: StreamFormat, _ output: StreamFormat?,
    past positions: [PositionPlan], _ quality: ResamplerQuality
  ) {
    guard let output else { return }
    let plan = ClockFollowingPlan(
      from: source, to: sink, inputRate: input.sampleRate, outputRate: output.sampleRate,
      past: positions, quality: quality)
    if let plan { followings.append(plan) }
  }
}
