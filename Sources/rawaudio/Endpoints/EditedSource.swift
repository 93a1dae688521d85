// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A gain in decibels, and the limiter behind it.
struct LimitedGain: Sendable {
  var gain: Double
  var limit: LimitRequest
}

/// A file that is read once for several pieces, seen from one of them.
struct SharedReading {
  let reading: PieceReading
  /// The first sample of this piece, and of the next one, in samples per channel. Nil if there is no next one.
  let start: Int64
  let next: Int64?

  /// - Parameter isMeasured: whether this piece is read more than once.
  func source(isMeasured: Bool) -> any AudioSource {
    reading.source(keepingFrom: isMeasured ? start : next)
  }
}

/// A source of a command's session with its edits. It is read repeatedly if needed: an edit that must know the whole
/// source first measures it in its own session.
struct EditedSource {
  let endpoint: SourceEndpoint
  let description: InputDescription
  let edits: EditRequest
  /// Whether its length must be known, independently of the edits.
  var needsLength = false
  /// The duration from the start. Nil = to the end.
  var duration: TimePosition?
  /// The duration of a sweep without another one.
  var sweepDuration: TimePosition?
  /// Nil = the source's. It is also the rate of the measurement.
  var sampleRate: Int?
  var channelCount: Int?
  /// The channel count of noise. Nil = one.
  var noiseChannelCount: Int?
  /// The seed of noise that names none, so that repeated reads are equal.
  var noiseSeed = NoiseSource.nextSeed()
  var resamplerQuality = ResamplerQuality.high
  /// Nil = the default of its sessions.
  var workers: WorkerAllowance?
  var control = SessionControl()
  /// The findings of a first pass over all sources of the run. Nil without an album.
  var album: AlbumPart?
  /// The shared reading of the file. Nil if it is opened for this source alone.
  var reading: SharedReading?
  /// The sound whose packets are copied. Nil if the source is decoded.
  var packets: PacketSound?
  /// The number of the item that asks for a part of the source. Nil = no list.
  var pieceNumber: Int?

  /// Returns the source for the session, the factor of its gain, and the levelling if its loudness is adjusted.
  ///
  /// - Throws: the error of the measurement.
  func open(
    on console: Console
  ) throws(AudioError) -> (input: SessionInput, gain: Double, levelling: Levelling?) {
    if album != nil { try requireRepeatable() }
    let spool = try spool()
    let findings: SourceFindings
    if let known = album?.findings {
      findings = known
    } else {
      findings = try find(in: spool).findings
    }
    let sound = findings.sound.map { tell($0, on: console) }
    var gain = try edits.peak.map { (peak) throws(AudioError) in
      try self.gain(reaching: peak, in: sound, from: spool, console)
    }
    var levelling: Levelling?
    if let request = edits.loudness, let track = findings.loudness {
      let done = Levelling(
        request, track: track, album: album?.album ?? (request.isAlbum ? track : nil),
        isPart: album != nil)
      console.detail(done.detail(of: endpoint.name))
      gain = (gain ?? 1) * Decibels.factor(done.gain)
      levelling = done
    }
    if edits.isInverted { gain = -(gain ?? 1) }
    return (try part(spool, sound, on: console, packets), gain ?? 1, levelling)
  }

  /// Runs the first pass over a part of an album.
  ///
  /// - Returns: the findings for the second pass, and the source's own measurement, which is not kept. The measurement
  ///   is nil without sound.
  func firstPass() throws(AudioError) -> (findings: SourceFindings, measurement: SoundMeasurement?)
  {
    try requireRepeatable()
    return try find(in: nil)
  }

  /// Measures a part of an album behind a gain and a limiter.
  ///
  /// - Parameter findings: of the first pass.
  func pass(
    behind limit: LimitedGain, _ findings: SourceFindings
  ) throws(AudioError) -> SoundMeasurement? {
    try measurement(in: findings.sound.map { $0.range ?? 0..<0 }, from: nil, behind: limit)
  }

  /// - Throws: if a part of an album cannot be read twice.
  private func requireRepeatable() throws(AudioError) {
    guard !endpoint.isRepeatable else { return }
    throw AudioError(
      .unsupported, cannot: "read", endpoint.name,
      because: "an album is read twice, and this can be read once",
      advice: "store it in a file first")
  }

  /// Whether only a part of the source is taken.
  var isPart: Bool {
    edits.start != nil || edits.end != nil || edits.clock != nil || duration != nil
  }

  /// Whether samples keep their distance from the first one of the source.
  var keepsTime: Bool {
    let isMoved = edits.padding != nil || edits.shift != nil || edits.delays?.isOfAll == true
    return !edits.isReversed && !isMoved
  }

  /// The samples per channel of the part of a sound whose packets are copied. Nil if it is unknown.
  func samplesPerChannel(of packets: PacketSound) throws(AudioError) -> Int64? {
    try part(nil, nil, packets).source.initialize(proposing: nil, wakeup: control.wakeup)
      .samplesPerChannel
  }

  // MARK: Opening

  /// Returns a spooled copy of a source that cannot be read twice. Nil if no copy is needed.
  private func spool() throws(AudioError) -> SessionInput? {
    guard edits.needsWhole || needsLength, !endpoint.isRepeatable else { return nil }
    return try opened().spooled(limit: description.spoolLimit?.bytes)
  }

  private func opened() throws(AudioError) -> SessionInput {
    if let reading {
      return SessionInput(
        reading.source(isMeasured: edits.needsWhole), name: endpoint.name,
        file: reading.reading.file)
    }
    var duration = duration
    if duration == nil, case .fromStart(let end) = edits.end { duration = end }
    return try endpoint.input(
      description, duration: duration ?? sweepDuration, channelCount: noiseChannelCount,
      seed: noiseSeed, workers: workers)
  }

  /// - Parameter sound: the range of the sound if silence is left out; nil while it is searched for.
  private func part(
    _ spool: SessionInput?, _ sound: Range<Int64>?, on console: Console? = nil,
    _ packets: PacketSound? = nil
  ) throws(AudioError) -> SessionInput {
    var input: SessionInput
    if let packets {
      input = SessionInput(packets, name: endpoint.name)
    } else if let spool {
      input = spool
    } else {
      input = try opened()
    }
    if packets == nil, spool == nil, edits.needsLength || needsLength {
      input = input.spooled(needsLengthOnly: true, limit: description.spoolLimit?.bytes)
    }
    input.pieceNumber = pieceNumber
    var (start, end, startTime) = (edits.start, edits.end, Int64?.none)
    if let clock = edits.clock, let path = endpoint.filePath {
      let points = try clock.points(in: path, description.decoder)
      (start, end, startTime) = (points.start, points.end, points.startTime)
      points.notes.forEach { console?.note($0) }
    }
    var trimmed = input.cut(.init(start: start, end: end, duration: duration))
    if sound == nil, keepsTime { trimmed.startTime = startTime }
    guard sound != nil || edits.silenceLevel == nil else { return trimmed }
    let part =
      sound.map {
        trimmed.cut(
          .init(
            start: .fromStart(.samples($0.lowerBound)), end: .fromStart(.samples($0.upperBound)),
            purpose: .edit))
      } ?? trimmed
    let turned = edits.isReversed ? part.reversed(limit: description.spoolLimit?.bytes) : part
    guard case .earlier(let time) = edits.shift else { return turned }
    return turned.cut(.init(start: .fromStart(time), purpose: .edit))
  }

  // MARK: Measuring

  private func measure(
    _ part: SessionInput, with sink: any AudioSink, _ edits: EditRequest,
    behind limit: LimitedGain? = nil
  ) throws(AudioError) {
    let session = Session(control: control)
    session.resamplerQuality = resamplerQuality
    if let workers { session.workers = workers }
    session.mixSampleRate = sampleRate
    try session.setLocal(part.source, gain: Decibels.factor(limit?.gain ?? 0))
    try edits.registerShape(on: session, at: .record)
    if let limit { try session.register(limit.limit.observer(at: .record)) }
    try session.setSink(sink, at: .publish)
    do {
      _ = try session.run()
    } catch {
      // The session that stores the input reports this error.
      guard part.isCutShort else { throw error }
    }
  }

  /// Measures the facts that the edits need before the source is read.
  private func find(
    in spool: SessionInput?
  ) throws(AudioError) -> (findings: SourceFindings, measurement: SoundMeasurement?) {
    var findings = SourceFindings()
    findings.sound = try edits.silenceLevel.map { (level) throws(AudioError) in
      try sound(reaching: level, from: spool)
    }
    guard edits.loudness != nil else { return (findings, nil) }
    let measurement = try measurement(in: findings.sound.map { $0.range ?? 0..<0 }, from: spool)
    findings.loudness = LoudnessFacts(measurement.map { [$0] } ?? [])
    return (findings, measurement)
  }

  private func sound(
    reaching level: Double, from spool: SessionInput?
  ) throws(AudioError) -> SoundRange {
    let sink = MeasuringSink(threshold: Decibels.factor(level))
    try measure(try part(spool, nil), with: sink, EditRequest(channelMap: edits.channelMap))
    return SoundRange(range: sink.sound, samplesPerChannel: sink.samplesPerChannel)
  }

  /// Prints the remaining range of the source.
  private func tell(_ sound: SoundRange, on console: Console) -> Range<Int64> {
    guard let range = sound.range else {
      let level = edits.silenceLevel.map { "\($0)" } ?? ""
      console.note(
        "nothing in '\(endpoint.name)' reaches \(level) dBFS; all of it is left out")
      return 0..<0
    }
    console.detail(
      "'\(endpoint.name)': sound from sample \(range.lowerBound) to \(range.upperBound) of"
        + " \(sound.samplesPerChannel)")
    return range
  }

  /// Measures the edited sound at the rate and with the channels of the output.
  private func measurement(
    in sound: Range<Int64>?, from spool: SessionInput?, behind limit: LimitedGain? = nil
  ) throws(AudioError) -> SoundMeasurement? {
    let part = try part(spool, sound)
    let source = part.source
    let keepsChannels = channelCount == nil && edits.channelMap == nil
    let sink = SoundMeterSink(
      measures: [.loudness, .truePeak], sampleRate: sampleRate, channelCount: channelCount
    ) {
      keepsChannels ? (try? source.metadata())?.channelLayout : nil
    }
    try measure(part, with: sink, edits, behind: limit)
    return sink.measurement
  }

  /// Returns the factor that brings the largest magnitude to `peak`, in dBFS.
  private func gain(
    reaching peak: Double, in sound: Range<Int64>?, from spool: SessionInput?, _ console: Console
  ) throws(AudioError) -> Double {
    let sink = MeasuringSink(sampleRate: sampleRate, channelCount: channelCount)
    let part = try part(spool, sound)
    try measure(part, with: sink, edits)
    if sink.notFiniteSamples > 0 {
      let what = sink.notFiniteSamples.samplesNotFinite
      let rest = sink.peak > 0 ? "they have no part in its peak" : "its level stays as it is"
      console.note("'\(part.name)' holds \(what); \(rest)")
      if sink.peak == 0 { return 1 }
    }
    guard sink.peak > 0 else {
      if control.request != nil { return 1 }
      console.note("'\(part.name)' is silent; its level stays as it is")
      return 1
    }
    let found = Decibels.level(sink.peak)
    console.detail(
      "'\(part.name)': the peak is \(found.rounded(toDigits: 2)) dBFS, changed by"
        + " \((peak - found).rounded(toDigits: 2)) dB")
    return Decibels.factor(peak) / sink.peak
  }
}

extension EditRequest {
  /// Registers the observers that edit the source, before all others.
  ///
  /// - Parameter source: its id. Nil if it is the only one.
  func register(
    on session: Session, at position: ObservationPosition, of source: SourceKey? = nil
  ) throws(AudioError) {
    try registerShape(on: session, at: position, of: source)
    let positions = ObservationPositions(position)
    if let delays { try session.register(delays.observer(at: positions), from: source) }
    if let padding {
      try session.register(
        PadObserver(positions, before: padding.before, behind: padding.behind), from: source)
    }
    if case .later(let time) = shift {
      try session.register(PadObserver(positions, before: time), from: source)
    }
  }

  /// Registers only those that keep the length.
  func registerShape(
    on session: Session, at position: ObservationPosition, of source: SourceKey? = nil
  ) throws(AudioError) {
    let positions = ObservationPositions(position)
    if let channelMap {
      try session.register(ChannelMapObserver(positions, channelMap), from: source)
    }
    if !filters.isEmpty {
      try session.register(FilterObserver(positions, filters), from: source)
    }
    if fadeIn != nil || fadeOut != nil {
      try session.register(
        FadeObserver(
          positions,
          in: fadeIn ?? .samples(0), out: fadeOut ?? .samples(0), curve: curve), from: source)
    }
  }
}
