// SPDX-License-Identifier: Apache-2.0
/// A sound file, or a pipe that delivers one, as a source: read by libsndfile where that knows it, else decoded by
/// `ffmpeg` where that is on the PATH.
///
/// A pipe is never given to ffmpeg. Session thread only.
public final class FileSource: AudioSource {
  /// What reads the file where libsndfile knows it; its settings may be changed until `initialize`.
  public let soundFile: SoundFileSource
  /// Who decodes; may be changed until `initialize`.
  public var decoder = FileDecoder.automatic
  /// What decodes the file where ffmpeg does, known after `initialize`; else nil.
  public private(set) var decodedFile: DecodedFileSource?
  private let path: String
  private let isDescribed: Bool
  private var isReadBySoundFile = true

  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - container: what the file has to be; nil = whatever its content says. `raw` needs `headerless`.
  ///   - headerless: what a `raw` file holds.
  public init(path: String, container: Container? = nil, headerless: HeaderlessFormat? = nil) {
    self.path = path
    isDescribed = container != nil
    soundFile = SoundFileSource(path: path, container: container, headerless: headerless)
  }

  /// By how much the file is shorter than it says.
  public var truncation: Truncation? {
    isReadBySoundFile ? soundFile.truncation : decodedFile?.truncation
  }

  /// - Throws: as ``SoundFileSource/initialize(proposing:wakeup:)`` and
  ///   ``DecodedFileSource/initialize(proposing:wakeup:)``.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    if decoder == .ffmpeg { return try decode(proposing: proposal, wakeup: wakeup) }
    do {
      return try soundFile.initialize(proposing: proposal, wakeup: wakeup)
    } catch {
      soundFile.dispose()
      return try decoder.instead(of: error, for: path, isDescribed: isDescribed) {
        () throws(AudioError) in try decode(proposing: proposal, wakeup: wakeup)
      }
    }
  }

  private func decode(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    guard path != "-" else {
      throw AudioError(
        .unsupported, cannot: "decode", "standard input", because: "ffmpeg decodes files only",
        advice: "save it to a file first")
    }
    let source = DecodedFileSource(path: path)
    isReadBySoundFile = false
    decodedFile = source
    do {
      return try source.initialize(proposing: proposal, wakeup: wakeup)
    } catch {
      // From here on there is nothing to be disposed of.
      source.dispose()
      decodedFile = nil
      isReadBySoundFile = true
      throw error
    }
  }

  private var reader: any AudioSource {
    if isReadBySoundFile { soundFile } else { decodedFile ?? soundFile }
  }

  public func metadata() throws(AudioError) -> Metadata? { try reader.metadata() }

  public func start() throws(AudioError) { try reader.start() }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let decodedFile else { return try soundFile.read(into: &output) }
    return try decodedFile.read(into: &output)
  }

  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    try reader.skip(samplesPerChannel: count)
  }

  public func stop() { reader.stop() }

  public func dispose() { reader.dispose() }
}

/// What a file says of itself, to whoever reads it.
public enum FileInformation: Sendable {
  /// libsndfile, and our own code, knows it.
  case soundFile(SoundFileInformation)
  /// ffmpeg does.
  case decodedFile(DecodedFileInformation)

  /// Any thread.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - decoder: who is asked.
  ///   - spoolLimit: how many bytes of a stream a temporary file may hold; see ``SoundFileSource/spoolLimit``.
  /// - Throws: as ``FileSource/initialize(proposing:wakeup:)``.
  public init(
    path: String, decoder: FileDecoder = .automatic,
    spoolLimit: Int64 = SoundFileSource.usualSpoolLimit
  ) throws(AudioError) {
    if decoder == .ffmpeg, path != "-" {
      self = .decodedFile(try DecodedFileInformation(path: path))
      return
    }
    do {
      self = .soundFile(try SoundFileInformation(path: path, spoolLimit: spoolLimit))
    } catch {
      self = .decodedFile(
        try decoder.instead(of: error, for: path, isDescribed: false) { () throws(AudioError) in
          try DecodedFileInformation(path: path)
        })
    }
  }
}
