// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles

/// The level behind a codec that changes samples: such a file is decoded, and written again if its level is wrong.
extension OutputSetting {
  /// Whether the file is decoded once it is complete, and written again if its level is wrong.
  var checksLevel: Bool { levelTarget != nil && canCheckLevel }

  /// Whether the output is a single file behind a codec that changes samples, and no device is waiting.
  var canCheckLevel: Bool {
    let recording = request.recording
    guard request.isLossy, liveness != .live, case .file(let path) = request.sink else {
      return false
    }
    return recording.names == nil && recording.cuts == nil && recording.trigger == nil
      && recording.last == nil && !recording.splitsChannels && isRegularFile(path) ?? true
  }

  /// The limiter that works while the stream goes by. Nil if there is none, or if the output waits for its level.
  var passingLimit: LimitRequest? { levelTarget == nil ? limit : nil }

  /// Whether a codec may exceed the limit, and its file was not decoded.
  var mayExceedLimit: Bool { limit != nil && request.isLossy && !checksLevel }
}

extension OutputRequest {
  /// Whether the codec of a file or stream changes samples.
  var isLossy: Bool {
    let path: String
    switch sink {
    case .file(let file): path = file
    case .standardOutput: path = "-"
    case .end: return false
    }
    if container == nil {
      // A video has AAC unless its former sound was something else.
      if EncodedContainer(filmName: path, codec: nil) != nil { return true }
      if let encoded = EncodedContainer(fileName: path) { return !encoded.isLossless }
    }
    guard let container = container ?? (try? Container(outputPath: path)) else { return false }
    let encoding = encoding?.encoding ?? container.defaultEncoding(for: .s16)
    // A step of these at full scale is 3 % of it.
    return encoding.isLossy || encoding == .ulaw || encoding == .alaw
  }
}

extension SessionOutput {
  /// Decides whether a complete file keeps the level that it is to have.
  ///
  /// - Parameter track: of its sound.
  func keepsLevel(_ file: FileDescriptor, track: Int = 1) throws(AudioError) -> Bool {
    guard let levelled, setting.checksLevel else { return true }
    let source = FileSource(path: file.pathForOthers)
    source.track = .number(track)
    let sink = SoundMeterSink(measuring: [.loudness, .truePeak]) { levelled.layout }
    let session = Session()
    if let workers = setting.workers { session.workers = workers }
    try session.setLocal(source)
    try session.setSink(.publish, sink)
    // Its meter reads more than BS.1770 requires, as other programs do.
    let limiter = try setting.limit.map { (request) throws(AudioError) in
      try LimiterObserver(
        .record,
        limit: min(request.limit + LimiterSetting.margin, LimiterObserver.limits.upperBound),
        parameters: FrameParameters(mode: .readOnly))
    }
    if let limiter { try session.register(limiter) }
    _ = try session.run()
    return sink.measurement.map {
      levelled.accepts($0, beyondLimit: limiter?.largestReduction)
    } ?? true
  }
}
