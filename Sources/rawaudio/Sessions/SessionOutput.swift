internal import AudioCore

/// The sink of a command's session, kept so that it can be asked afterwards what happened.
final class SessionOutput {
  /// What notes call it.
  let name: String
  let request: OutputRequest
  private let processing: ProcessingRequest
  private let deviceOptions: AlsaOptions
  /// Whether what was written has to outlive an interruption.
  let isRecording: Bool
  /// Asks for a new part.
  let splitControl = SplittingSink.Control()
  let journal = RecordingJournal()
  var file: SoundFileSink?
  var parts: SplittingSink?
  private(set) var device: AlsaSink?

  /// - Parameter isRecording: whether what was written has to outlive an interruption.
  init(
    _ request: OutputRequest, _ processing: ProcessingRequest,
    device: AlsaOptions = AlsaOptions(), isRecording: Bool = false
  ) {
    self.request = request
    self.processing = processing
    deviceOptions = device
    self.isRecording = isRecording
    name = request.sink.name
    if request.recording.names != nil { SplitSignal.install(splitControl) }
  }

  /// Samples that were beyond full scale and saturated.
  var clippedSamples: Int {
    (file?.clippedSamples ?? parts?.clippedSamples ?? 0)
      + Int(device?.statistics.samplesClipped ?? 0)
  }

  /// Marks a place in the file, where there is one that takes marks; not where a trigger joins events, for
  /// there the place may be left out.
  ///
  /// - Parameters:
  ///   - position: in samples per channel of the stream, at `sampleRate`.
  ///   - sampleRate: in hertz.
  ///   - label: in one line.
  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    if request.recording.trigger == nil {
      file?.mark(position, at: sampleRate, label: label)
    }
    if request.recording.trigger == nil || request.recording.limits.contains(.event) {
      parts?.mark(position, at: sampleRate, label: label)
    }
  }

  /// How the file is written; nil where the output is no file.
  var soundFileFormat: FileFormat? { file?.fileFormat ?? parts?.fileFormat }

  /// How the file is written, for people: "wav, s16"; nil where the output is no file.
  var fileFormat: String? {
    soundFileFormat.map {
      "\($0.container.rawValue), \($0.encoding.rawValue)"
    }
  }

  /// Makes the sink once the session knows what feeds it.
  func make(_ sources: SinkRequest) throws(AudioError) -> any AudioSink {
    switch request.sink {
    case .null:
      return triggered(NullSink())
    case .device(let name):
      var options = deviceOptions
      options.sampleRate = request.sampleRate
      options.channelCount = request.channelCount
      options.encoding = request.encoding?.encoding
      options.preferredEncoding = .playable(.widest(sources.encodings))
      let sink = AlsaSink(device: name, options: options)
      device = sink
      return sink
    case .standardOutput:
      return try fileSink("-", sources)
    case .file(let path):
      return try fileSink(path, sources)
    }
  }

  private func fileSink(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> any AudioSink {
    let format = try format(path, sources)
    let (request, dither, isRecording) = (request, processing.dither, isRecording)
    return try recorder(path) { path in
      SoundFileSink(
        path: path, format: format, sampleRate: request.sampleRate,
        channelCount: request.channelCount, dither: dither, overwrite: request.overwrites,
        replacement: isRecording ? .inPlace : .onCompletion,
        synchronization: request.recording.synchronization
          ?? (isRecording ? .regularly : .never))
    }
  }

  /// As asked; else the container by the file's name and the encoding by the sources.
  private func format(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> FileFormat {
    let container =
      if let asked = request.container { asked } else { try Container.container(ofFile: path) }
    guard let encoding = request.encoding else {
      return try FileFormat(container, for: .widest(sources.encodings))
    }
    guard !encoding.isPadded else {
      throw AudioError(
        .unsupported, cannot: "write to", path,
        because: "files hold 24 bits in three bytes, not in four", advice: "use S24_3LE or s24")
    }
    return try FileFormat(container, encoding.encoding, byteOrder: encoding.byteOrder)
  }
}

extension SampleEncoding {
  /// What a device is asked for to play samples that were stored as `encoding`.
  fileprivate static func playable(_ encoding: SampleEncoding) -> SampleEncoding {
    switch encoding {
    case .s24, .s32, .f32: encoding
    default: encoding.precision == .double ? .s32 : .s16
    }
  }
}
