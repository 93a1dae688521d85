// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A sound file, or a pipe that delivers one, as a source: read by libsndfile where that knows it, else decoded by
/// `ffmpeg` where that is on the PATH.
///
/// What comes from a pipe is given to ffmpeg through a temporary file, where its beginning says what it is. Session
/// thread only.
public final class FileSource: AudioSource {
  /// What reads the file where libsndfile knows it; its settings may be changed until `initialize`.
  public let soundFile: SoundFileSource
  /// Who decodes; may be changed until `initialize`.
  public var decoder = FileDecoder.automatic
  /// Which stream of sound is read, from 1; may be changed until `initialize`. Files that libsndfile reads have one.
  public var track = 1
  /// What decodes the file where ffmpeg does, known after `initialize`; else nil.
  package private(set) var decodedFile: DecodedFileSource?
  private let path: String
  private let isDescribed: Bool
  private var isReadBySoundFile = true
  /// Why a stream that ffmpeg decodes is not read to its end; told behind its last sample.
  private var failure: AudioError?

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
  ///   `DecodedFileSource`.
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
    guard track == 1 else { throw AudioError.lacks(track: track, of: 1, in: path) }
    return description
  }

  /// - Parameter input: what is decoded where it has no name.
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
    isReadBySoundFile = false
    decodedFile = source
    do {
      var description = try source.initialize(proposing: proposal, wakeup: wakeup)
      description.isRepeatable = input?.isRegular ?? true
      return description
    } catch {
      // From here on there is nothing to be disposed of.
      source.dispose()
      decodedFile = nil
      isReadBySoundFile = true
      throw failure ?? error
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

/// What a file says of itself, to whoever reads it.
package enum FileInformation: Sendable {
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

  /// Itself, where it can be sought in and stands at its beginning; else a temporary file with all that it delivers.
  fileprivate func spooled() throws(AudioError) -> FileDescriptor {
    if let spooledCopy { return spooledCopy }
    return try isRegular && position == 0 ? self : SpooledFile.holding([], thenAllOf: self)
  }
}
