internal import AudioCore
internal import Glibc

/// A source of a command's session and what is done to it. Read as often as that needs it: an edit that has to know
/// the whole source measures it in a session of its own first.
struct EditedSource {
  let endpoint: SourceEndpoint
  let description: InputDescription
  let edits: EditRequest
  /// Whether its length has to be known, whatever the edits.
  var needsLength = false
  /// How long, from the start; nil = to the end.
  var duration: TimePosition?
  /// How long a sweep takes where nothing else says so.
  var sweepDuration: TimePosition?
  /// Nil = the source's, in which it is measured.
  var sampleRate: Int?
  var channelCount: Int?
  var resamplerQuality = ResamplerQuality.high
  /// Nil = its sessions' own.
  var workers: WorkerAllowance?
  var control = SessionControl()
  /// How loud all sources of the run are; nil where each is by itself.
  var album: LoudnessFacts?

  /// The source, ready to be put into the session, and the factor of its gain.
  ///
  /// - Throws: what the measuring fails with.
  func open(on console: Console) throws(AudioError) -> (input: SessionInput, gain: Double) {
    let opened = try openLevelled(on: console)
    return (opened.input, opened.gain)
  }

  /// The same, with what was found and done where it is levelled by its loudness.
  func openLevelled(
    on console: Console
  ) throws(AudioError) -> (input: SessionInput, gain: Double, levelling: Levelling?) {
    let spool = try spool()
    let sound = try edits.silenceLevel.map { (level) throws(AudioError) in
      try self.sound(reaching: level, from: spool, console)
    }
    var gain = try edits.peak.map { (peak) throws(AudioError) in
      try self.gain(reaching: peak, in: sound, from: spool, console)
    }
    var levelling: Levelling?
    if let request = edits.loudness {
      let found = try measurement(in: sound, from: spool).map { [$0] } ?? []
      let track = LoudnessFacts(found)
      let done = Levelling(
        request, track: track, album: album ?? (request.isAlbum ? track : nil),
        isPart: album != nil)
      console.detail(done.detail(of: name))
      gain = (gain ?? 1) * Decibels.factor(done.gain)
      levelling = done
    }
    if edits.isInverted { gain = -(gain ?? 1) }
    return (try part(spool, sound), gain ?? 1, levelling)
  }

  /// How loud it is, edited; nil where there is nothing.
  func measured(on console: Console) throws(AudioError) -> SoundMeasurement? {
    let spool = try spool()
    let sound = try edits.silenceLevel.map { (level) throws(AudioError) in
      try self.sound(reaching: level, from: spool, console)
    }
    return try measurement(in: sound, from: spool)
  }

  // MARK: Opening

  /// What cannot be read twice, in a temporary file; nil where that is not needed.
  private func spool() throws(AudioError) -> SessionInput? {
    guard edits.needsWhole || needsLength, !endpoint.isRepeatable else { return nil }
    return try opened().spooled(limit: description.spoolLimit?.bytes)
  }

  private func opened() throws(AudioError) -> SessionInput {
    var duration = duration
    if duration == nil, case .fromStart(let end) = edits.end { duration = end }
    return try endpoint.input(
      description, duration: duration ?? sweepDuration, workers: workers)
  }

  /// The part of the source that is used.
  private func part(
    _ spool: SessionInput?, _ sound: Range<Int64>?
  ) throws(AudioError) -> SessionInput {
    var input: SessionInput
    if let spool { input = spool } else { input = try opened() }
    if spool == nil, edits.needsLength || needsLength {
      input = input.spooled(needsLengthOnly: true, limit: description.spoolLimit?.bytes)
    }
    let part = input.trimmed(from: edits.start, to: edits.end, duration: duration)
    return sound.map { part.trimmed(to: $0) } ?? part
  }

  // MARK: Measuring

  private func measure(
    _ part: SessionInput, with sink: any AudioSink, _ shape: (Session) throws(AudioError) -> Void
  ) throws(AudioError) {
    let session = Session(control: control)
    session.resamplerQuality = resamplerQuality
    if let workers { session.workers = workers }
    session.mixSampleRate = sampleRate
    try session.setLocal(part.source)
    try shape(session)
    try session.setSink(.publish, sink)
    _ = try session.run()
  }

  /// Where the sound in the source lies, in samples per channel.
  private func sound(
    reaching level: Double, from spool: SessionInput?, _ console: Console
  ) throws(AudioError) -> Range<Int64> {
    let sink = MeasuringSink(threshold: Decibels.factor(level))
    let part = try part(spool, nil)
    try measure(part, with: sink) { (session) throws(AudioError) in
      guard let map = edits.channelMap else { return }
      try session.register(ChannelMapObserver(map, positions: .record))
    }
    guard let sound = sink.sound else {
      console.note("nothing in '\(part.name)' reaches \(level) dBFS; all of it is left out")
      return 0..<0
    }
    console.detail(
      "'\(part.name)': sound from sample \(sound.lowerBound) to \(sound.upperBound) of"
        + " \(sink.samplesPerChannel)")
    return sound
  }

  /// What is heard, at the rate and in the channels of the output.
  private func measurement(
    in sound: Range<Int64>?, from spool: SessionInput?
  ) throws(AudioError) -> SoundMeasurement? {
    let part = try part(spool, sound)
    let source = part.source
    let keepsChannels = channelCount == nil && edits.channelMap == nil
    let sink = SoundMeterSink(
      measuring: [.loudness, .truePeak], sampleRate: sampleRate, channelCount: channelCount
    ) {
      keepsChannels ? (try? source.metadata())?.channelLayout : nil
    }
    try measure(part, with: sink) { (session) throws(AudioError) in
      try edits.registerShape(on: session, at: .record)
    }
    return sink.measurement
  }

  /// How notes call it.
  private var name: String {
    switch endpoint {
    case .file(let path): path
    case .standardInput: "standard input"
    case .device(let name): name
    case .generated: "the signal"
    }
  }

  /// The factor that takes the largest magnitude to `peak`, in dBFS.
  private func gain(
    reaching peak: Double, in sound: Range<Int64>?, from spool: SessionInput?, _ console: Console
  ) throws(AudioError) -> Double {
    let sink = MeasuringSink(sampleRate: sampleRate, channelCount: channelCount)
    let part = try part(spool, sound)
    try measure(part, with: sink) { (session) throws(AudioError) in
      try edits.registerShape(on: session, at: .record)
    }
    guard sink.peak > 0 else {
      console.note("'\(part.name)' is silent; its level stays as it is")
      return 1
    }
    func hundredths(_ decibels: Double) -> Double { (decibels * 100).rounded() / 100 }
    let found = Decibels.level(sink.peak)
    console.detail(
      "'\(part.name)': the peak is \(hundredths(found)) dBFS, changed by"
        + " \(hundredths(peak - found)) dB")
    return Decibels.factor(peak) / sink.peak
  }
}

extension EditRequest {
  /// Registers the observers that edit the source, in front of all others.
  ///
  /// - Parameter source: its id; nil where it is the only one.
  func register(
    on session: Session, at position: ObservationPosition, of source: SourceID? = nil
  ) throws(AudioError) {
    try registerShape(on: session, at: position, of: source)
    guard let padding else { return }
    try session.register(
      PadObserver(
        before: padding.before, behind: padding.behind,
        positions: ObservationPositions(position)), from: source)
  }

  /// Only those that leave the length as it is.
  func registerShape(
    on session: Session, at position: ObservationPosition, of source: SourceID? = nil
  ) throws(AudioError) {
    let positions = ObservationPositions(position)
    if let channelMap {
      try session.register(ChannelMapObserver(channelMap, positions: positions), from: source)
    }
    if fadeIn != nil || fadeOut != nil {
      try session.register(
        FadeObserver(
          in: fadeIn ?? .samples(0), out: fadeOut ?? .samples(0), curve: curve,
          positions: positions), from: source)
    }
  }
}

extension SourceEndpoint {
  /// Whether it gives the same when it is opened again.
  fileprivate var isRepeatable: Bool {
    switch self {
    case .generated: return true
    case .standardInput, .device: return false
    case .file(let path):
      var status = stat()
      // What is wrong with a file that cannot be found is told when it is opened.
      let name = Pathname(path).bytes.map { CChar(bitPattern: $0) } + [0]
      let isFound = unsafe stat(name, &status) == 0
      return !isFound || status.st_mode & S_IFMT == S_IFREG
    }
  }
}
