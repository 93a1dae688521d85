/// Lays the strands between sources, observers, mixers and sinks.
extension Engine {
  func buildRecord(_ plan: SessionPlan, _ mixed: Mixer<Sample>?) throws(AudioError) {
    guard let local = plan.local, let position = plan.record else { return }
    let format = local.description.format
    let strand = Strand<Sample>(format: format)
    if let gains = try local.entry.mixing.channelGains(format) {
      strand.append(ChannelGain<Sample>(gains, format: format))
    }
    try observe(strand, position, [local], from: local.entry)
    let intake = Intake(local, into: strand)
    intakes.append(intake)
    try take(
      from: strand, [plan.sink(.publish)], mixed, intake, plan,
      liveSource: local.description.isLive ? local.entry.id : nil)
  }

  func buildPlayback(_ plan: SessionPlan, _ mixed: Mixer<Sample>?) throws(AudioError) {
    guard let mixFormat = plan.mixFormat, let position = plan.playback else { return }
    let length = try mixDuration?.length(at: mixFormat.sampleRate, as: "mix duration")
    let mixer = Mixer<Sample>(format: mixFormat, length: length)
    let blockSize = BlockSize.samples(inEachOf: plan.incoming.count)
    for (life, beforeMixing) in zip(plan.incoming, plan.beforeMixing) {
      let format = life.description.format
      var strand = Strand<Sample>(format: format, blockSize: blockSize)
      let offset = try life.entry.mixing.offset.length(at: mixFormat.sampleRate, as: "offset")
      try observe(
        strand, beforeMixing, [life], from: life.entry, start: (offset, mixFormat.sampleRate))
      var needed = length.map { length in
        ResamplingRatio(from: mixFormat.sampleRate, to: format.sampleRate)
          .outputLength(of: max(0, length - offset))
      }
      let further = furtherSamples(of: life.description, at: mixFormat.sampleRate)
      // How far a source is read ahead does not show at its observers. Behind one that changes the format
      // nothing can pass it by.
      if let shown = needed, further > 0, strand.format == format {
        needed = shown + further
        if !beforeMixing.places.isEmpty {
          let observed = strand
          strand = Strand(format: format, blockSize: blockSize)
          strand.append(BoundedStage(observed, atMost: shown))
        }
      }
      let following = plan.following(life, to: .playback) ?? plan.following(life, to: .mixed)
      let stage = try convert(strand, to: mixFormat, following)
      if let gains = try life.entry.mixing.channelGains(mixFormat) {
        strand.append(ChannelGain<Sample>(gains, format: mixFormat))
      }
      stage?.prime(strand)
      mixer.add(
        strand, offset: offset,
        liveSource: life.description.isLive ? life.entry.id : nil)
      let intake = Intake(life, into: strand, atMost: needed)
      intakes.append(intake)
      stage?.ends.samplesRead = { [unowned intake] in intake.samplesPerChannel }
      stage?.ends.samplesBefore = { [unowned mixer, id = life.entry.id] in
        offset + (mixer.missing[id] ?? 0)
      }
    }
    mixers.append(mixer)
    try observe(mixer.output, position, plan.incoming)
    try take(from: mixer.output, [plan.sink(.playback)], mixed, nil, plan)
  }

  /// How much of a source, in samples per channel, a rate conversion needs to know behind the end of a sum
  /// at `rate`. What a live source has not given yet is not waited for.
  private func furtherSamples(of source: SourceDescription, at rate: Int) -> Int64 {
    if source.format.sampleRate == rate || source.isLive { return 0 }
    let ratio = ResamplingRatio(from: source.format.sampleRate, to: rate)
    return Int64(filters.quality.tapCount(for: ratio))
  }

  /// Puts the observers of a position at the end of `strand`, which `sources` feed and which begins at
  /// `start`: so many samples per channel, at that rate, into the session.
  func observe(
    _ strand: Strand<Sample>, _ plan: PositionPlan, _ sources: [SourceLife],
    from source: SourceEntry? = nil, start: (samples: Int64, clock: Int) = (0, 1)
  ) throws(AudioError) {
    let place = ObserverPlace(position: plan.position, source: source?.id, group: source?.group)
    let encoding = SampleEncoding.widest(sources.map { $0.description.encoding })
    for planned in plan.places {
      let stage = try planned.observer.stage(
        StageSetting<Sample>(
          registration: planned.registration, place: place, mode: planned.mode,
          shape: planned.shape, inputFormat: strand.format, start: start, encoding: encoding,
          filters: filters,
          isLive: isLive, wakeup: control.wakeup))
      strand.append(stage)
      observing.append(stage)
    }
  }

  /// Leads the end of `strand` to its sink and into the mixed sum, where there are any.
  ///
  /// - Parameter intake: of the source whose stream it is; nil for a sum.
  func take(
    from strand: Strand<Sample>, _ sinks: [SinkLife?], _ mixed: Mixer<Sample>?,
    _ intake: Intake<Sample>?, _ plan: SessionPlan, liveSource: SourceID? = nil
  ) throws(AudioError) {
    let sinks = sinks.compactMap { $0 }
    let parts = strand.split(sinks.count + (mixed == nil ? 0 : 1))
    for (life, part) in zip(sinks, parts) {
      if let format = life.format {
        let following = intake.flatMap { plan.following($0.life, to: life.place) }
        let stage = try convert(part, to: format, following)
        stage?.ends.samplesRead = { [unowned intake] in intake?.samplesPerChannel ?? 0 }
        stage?.prime(part)
      }
      outlets.append(
        Outlet(life, from: part, clock: plan.followings.first { $0.sink === life }?.sinkClock))
    }
    guard let mixed, let part = parts.last else { return }
    let following = intake.flatMap { plan.following($0.life, to: .mixed) }
    let stage = try convert(part, to: mixed.output.format, following)
    stage?.ends.samplesRead = { [unowned intake] in intake?.samplesPerChannel ?? 0 }
    stage?.ends.samplesBefore = { [unowned mixed] in liveSource.flatMap { mixed.missing[$0] } ?? 0 }
    stage?.prime(part)
    mixed.add(part, offset: 0, liveSource: liveSource)
  }

  /// Adds the stages that turn a strand's format into `target`; the rate conversion follows a device's
  /// clock where one is to be followed.
  private func convert(
    _ strand: Strand<Sample>, to target: StreamFormat, _ following: ClockFollowingPlan?
  ) throws(AudioError) -> ClockFollowingStage<Sample>? {
    guard let following else {
      try strand.convert(to: target, with: filters)
      return nil
    }
    let stage = try strand.convert(to: target, following, quality: filters.quality)
    followings.append(stage.stream)
    return stage
  }
}
