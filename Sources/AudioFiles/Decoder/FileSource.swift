// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Reads a sound file, or a pipe that delivers one: by libsndfile if it knows the format, otherwise by `ffmpeg` if that
/// is on the PATH.
///
/// ffmpeg reads a pipe through a temporary file, if the beginning tells its format. Session thread only.
public final class FileSource: AudioSource {
  /// The reader for files that libsndfile knows; its settings may be changed until `initialize`.
  public let soundFile: SoundFileSource
  /// The choice of the decoder; may be changed until `initialize`.
  public var decoder = FileDecoder.automatic
  /// The sound track to read; may be changed until `initialize`. Files that libsndfile reads have one without a name.
  public var track: SoundTrack = 1
  /// The reader if ffmpeg decodes the file, known after `initialize`; otherwise nil.
  package private(set) var decodedFile: DecodedFileSource?
  private let path: String
  private let isDescribed: Bool
  /// The coding, once it was asked for.
  private var coding: LossyCoding??
  /// The error that cut short a stream for ffmpeg; thrown behind its last sample.
  private var failure: AudioError?

  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - container: the required container; nil = by the content. `raw` needs `headerless`.
  ///   - headerless: the content of a `raw` file.
  public init(path: String, container: Container? = nil, headerless: HeaderlessFormat? = nil) {
    self.path = path
    isDescribed = container != nil
    soundFile = SoundFileSource(path: path, container: container, headerless: headerless)
  }

  /// The missing length of a file that is shorter than it states.
  public var truncation: Truncation? {
    if let decodedFile { decodedFile.truncation } else { soundFile.truncation }
  }

  /// - Throws: the error of ``SoundFileSource/initialize(proposing:wakeup:)`` or of `DecodedFileSource`.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    if decoder == .ffmpeg {
      let input = path == "-" ? try FileDescriptor.standardInput(wakeup) : nil
      return try decode(input, proposing: proposal, wakeup: wakeup)
    }
    let description: SourceDescription
    do {
      description = try soundFile.initialize(proposing: proposal, wakeup: wakeup)
    } catch {
      let input = soundFile.takeRefusedInput()
      soundFile.dispose()
      return try decoder.instead(of: error, for: path, input, isDescribed: isDescribed) {
        () throws(AudioError) in try decode(input, proposing: proposal, wakeup: wakeup)
      }
    }
    try track.requireOnly(in: path)
    return description
  }

  /// - Parameter input: the input to decode if it has no name.
  private func decode(
    _ input: FileDescriptor?, proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let source: DecodedFileSource
    if let input {
      input.spoolLimit = soundFile.spoolLimit
      source = DecodedFileSource(try input.spooled())
      failure = input.failure
    } else {
      source = DecodedFileSource(path: path)
    }
    source.track = track
    decodedFile = source
    do {
      var description = try source.initialize(proposing: proposal, wakeup: wakeup)
      description.isRepeatable = input?.isRegular ?? true
      return description
    } catch {
      // After a failure nothing is left to dispose of.
      source.dispose()
      decodedFile = nil
      throw failure ?? error
    }
  }

  private var reader: any AudioSource {
    if let decodedFile { decodedFile } else { soundFile }
  }

  public func metadata() throws(AudioError) -> Metadata? { try reader.metadata() }

  /// The coding of the sound; nil if it is lossless, or its bit rate is unknown. Call it after `initialize`.
  package func lossyCoding() throws(AudioError) -> LossyCoding? {
    if let coding { return coding }
    let found =
      if let decodedFile { try decodedFile.lossyCoding() } else { try soundFile.lossyCoding() }
    coding = .some(found)
    return found
  }

  public func start() throws(AudioError) { try reader.start() }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let decodedFile else { return try soundFile.read(into: &output) }
    let status = try decodedFile.read(into: &output)
    if status == .ended, let failure { throw failure }
    return status
  }

  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    try reader.skip(samplesPerChannel: count)
  }

  public func stop() { reader.stop() }

  public func dispose() { reader.dispose() }
}

/// The properties that a file states, by its reader.
package enum FileInformation: Sendable {
  /// libsndfile, or the library itself, knows the file.
  case soundFile(SoundFileInformation)
  /// ffmpeg knows the file.
  case decodedFile(DecodedFileInformation)

  /// The marks or chapters, in the order of the file, in samples per channel at `sampleRate` in hertz.
  package var marks: (places: [Metadata.Marker], sampleRate: Int) {
    switch self {
    case .soundFile(let file):
      (file.metadata.markers, file.metadata.sampleRate ?? file.format.sampleRate)
    case .decodedFile(let file): (file.metadata.markers, file.format.sampleRate)
    }
  }

  package var metadata: Metadata {
    switch self {
    case .soundFile(let file): file.metadata
    case .decodedFile(let file): file.metadata
    }
  }

  /// Reads the properties of a file. Any thread.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - decoder: the choice of the decoder.
  ///   - spoolLimit: the most bytes of a stream in a temporary file; see ``SoundFileSource/spoolLimit``.
  /// - Throws: the error of ``FileSource/initialize(proposing:wakeup:)``.
  package init(
    path: String, decoder: FileDecoder = .automatic,
    spoolLimit: Int64 = SoundFileSource.usualSpoolLimit
  ) throws(AudioError) {
    let input = path == "-" ? try FileDescriptor.standardInput(nil) : nil
    input?.spoolLimit = spoolLimit
    func decoded() throws(AudioError) -> DecodedFileInformation {
      guard let file = try input?.spooled() else { return try DecodedFileInformation(path: path) }
      return try DecodedFileInformation(path: file.pathForOthers, named: file.name, wakeup: nil)
    }
    if decoder == .ffmpeg {
      self = .decodedFile(try decoded())
      return
    }
    do {
      let file = if let input { input } else { try FileDescriptor(reading: path) }
      file.spoolLimit = spoolLimit
      self = .soundFile(try SoundFileInformation(of: file))
    } catch {
      self = .decodedFile(
        try decoder.instead(of: error, for: path, input, isDescribed: false) {
          () throws(AudioError) in try decoded()
        })
    }
  }
}

extension FileDescriptor {
  static func standardInput(_ wakeup: Wakeup?) throws(AudioError) -> FileDescriptor {
    let input = try FileDescriptor(0, name: "standard input", closes: false)
    input.wakeup = wakeup
    if wakeup != nil { input.ending = .withWriter }
    return input
  }

  /// The descriptor itself if it is a regular file at its beginning; otherwise a temporary file with the rest of its
  /// content.
  fileprivate func spooled() throws(AudioError) -> FileDescriptor {
    if let spooledCopy { return spooledCopy }
    return try isRegular && position == 0 ? self : SpooledFile.holding([], thenAllOf: self)
  }
}
