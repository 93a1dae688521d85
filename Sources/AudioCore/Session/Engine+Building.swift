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
    intakes.append(Intake(local, into: strand))
    try take(
      from: strand, [plan.sink(.publish)], mixed,
      liveSource: local.description.isLive ? local.entry.id : nil)
  }

  func buildPlayback(_ plan: SessionPlan, _ mixed: Mixer<Sample>?) throws(AudioError) {
    guard let mixFormat = plan.mixFormat, let position = plan.playback else { return }
    let length = try mixDuration?.length(at: mixFormat.sampleRate, as: "mix duration")
    let mixer = Mixer<Sample>(format: mixFormat, length: length)
    let blockSize = BlockSize.samples(inEachOf: plan.incoming.count)
    for (life, beforeMixing) in zip(plan.incoming, plan.beforeMixing) {
      let strand = Strand<Sample>(format: life.description.format, blockSize: blockSize)
      let offset = try life.entry.mixing.offset.length(at: mixFormat.sampleRate, as: "offset")
      try observe(
        strand, beforeMixing, [life], from: life.entry, start: (offset, mixFormat.sampleRate))
      try strand.convert(to: mixFormat, with: filters)
      if let gains = try life.entry.mixing.channelGains(mixFormat) {
        strand.append(ChannelGain<Sample>(gains, format: mixFormat))
      }
      mixer.add(
        strand, offset: offset,
        liveSource: life.description.isLive ? life.entry.id : nil)
      // Nothing is read that lies behind the sum's end: how far a source is read ahead would show at
      // its observers.
      let needed = length.map { length in
        ResamplingRatio(from: mixFormat.sampleRate, to: life.description.format.sampleRate)
          .outputLength(of: max(0, length - offset))
      }
      intakes.append(Intake(life, into: strand, atMost: needed))
    }
    mixers.append(mixer)
    try observe(mixer.output, position, plan.incoming)
    try take(from: mixer.output, [plan.sink(.playback)], mixed)
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
  func take(
    from strand: Strand<Sample>, _ sinks: [SinkLife?], _ mixed: Mixer<Sample>?,
    liveSource: SourceID? = nil
  ) throws(AudioError) {
    let sinks = sinks.compactMap { $0 }
    let parts = strand.split(sinks.count + (mixed == nil ? 0 : 1))
    for (life, part) in zip(sinks, parts) {
      if let format = life.format { try part.convert(to: format, with: filters) }
      outlets.append(Outlet(life, from: part))
    }
    guard let mixed, let part = parts.last else { return }
    try part.convert(to: mixed.output.format, with: filters)
    mixed.add(part, offset: 0, liveSource: liveSource)
  }
}
