// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The sound files of a tap: one for each stream, named after a pattern.
///
/// In the pattern `{source}`, or `%s`, is the stream's name (``TappedStream/name``). The rest is as in ``PartNames``: `%03d`
/// is the file's number from 0, `%F` the date at which it begins. Names hold no path separator, so a tap never leaves the
/// directory that the pattern names. Session thread.
public final class TapFiles {
  private let pattern: NamePattern
  private let civilTime: CivilTime
  private let time: () -> Int
  private let container: Container
  private let encoding: SampleEncoding?
  private let byteOrder: ByteOrder?
  private let isPadded: Bool
  private let overwrites: Bool
  private let numbersRepeats: Bool
  private let appends: Bool
  private var files: [String: SoundFileSink] = [:]

  /// - Parameters:
  ///   - pattern: the path.
  ///   - container: nil = by the extension.
  ///   - encoding: nil = the widest of the sources that feed the stream, or the container's default for it.
  ///   - byteOrder: nil = the container's default.
  ///   - isPadded: whether 24 bits have four bytes (``FileFormat/isPadded``).
  ///   - overwrite: whether existing files may be replaced.
  ///   - numbersRepeats: whether a stream gets a numbered file, such as `track-anna-2.wav`, if its file is taken by
  ///     another stream or by an existing file. For sessions that sources join unattended.
  ///   - appends: whether samples go behind those of an existing file; only for raw samples.
  ///   - civilTime: the zone of the times in names.
  ///   - time: the time at which a file begins, in seconds since 1970; nil = now.
  /// - Throws: `invalidParameter` for an unknown field or conversion; `unsupported` if the container is unknown, cannot hold the
  ///   encoding or cannot be extended.
  public init(
    pattern: String, container: Container? = nil, encoding: SampleEncoding? = nil,
    byteOrder: ByteOrder? = nil, isPadded: Bool = false, overwrite: Bool = false,
    numbersRepeats: Bool = false, appends: Bool = false, in civilTime: CivilTime = .local,
    time: (() -> Int)? = nil
  ) throws(AudioError) {
    self.pattern = try NamePattern(pattern, shortFields: ["s": Self.field])
    try self.pattern.check(fields: [Self.field])
    try PartNames.requireNoDayForNumber(in: self.pattern)
    self.civilTime = civilTime
    self.time = time ?? { RecordingClock.Moment.now.seconds }
    guard let container = container ?? Container(fileName: pattern) else {
      throw AudioError(
        .unsupported, cannot: "write to", pattern,
        because: "its extension names no type of sound file", advice: "end it with .wav or .flac")
    }
    guard !appends || container == .raw else {
      throw AudioError(
        .unsupported, cannot: "append to", pattern, because: "the file's header tells its length",
        advice: "name it .raw, or leave append out")
    }
    self.appends = appends
    self.container = container
    self.encoding = encoding
    self.byteOrder = byteOrder
    self.isPadded = isPadded
    overwrites = overwrite
    self.numbersRepeats = numbersRepeats
    if let encoding {
      _ = try FileFormat(container, encoding, byteOrder: byteOrder, isPadded: isPadded)
    }
  }

  /// The number of samples so far, over all files, that exceeded full scale and were clipped. After the session.
  public var clippedSamples: Int { files.values.reduce(0) { $0 + $1.clippedSamples } }

  /// The number of NaN samples so far, over all files. After the session.
  public var notANumberSamples: Int { files.values.reduce(0) { $0 + $1.notANumberSamples } }

  private static let field = "source"

  /// The path of the file for a stream with this ``TappedStream/name``.
  ///
  /// - Parameter number: of the file, from 0.
  public func path(forStreamNamed name: String, number: Int = 0) -> String {
    pattern.filled { _ in name }.path(number: number, time: time(), in: civilTime)
  }

  /// The sink for `stream`. If the session is live or cannot be repeated, the file appears at once and keeps its
  /// samples after a failure. Otherwise it appears when it is complete.
  ///
  /// - Throws: `invalidParameter` if another stream has that file already; `notFound`, `unavailable` if there is no folder
  ///   for it. Folders behind the first field or conversion are made.
  public func sink(for stream: some TappedStream) throws(AudioError) -> any AudioSink {
    let named = path(forStreamNamed: stream.name, number: files.count)
    let path = numbersRepeats ? free(named) : named
    guard files[path] == nil else {
      throw AudioError(
        .invalidParameter, cannot: "write to", path,
        because: "the tap sees several streams, and one file holds one",
        advice: pattern.fields.isEmpty
          ? "put {source}, the source's id, into the name" : "give the sources other ids")
    }
    let format = try FileFormat(
      container, encoding ?? container.defaultEncoding(for: stream.encoding), byteOrder: byteOrder,
      isPadded: isPadded)
    try PartFolders(pattern, synchronizing: false).make(for: path)
    let sink = SoundFileSink(
      path: path, format: format, overwrite: overwrites || appends,
      replacement: appends
        ? .appended : stream.isLive || !stream.isRepeatable ? .inPlace : .onCompletion)
    sink.destination.isNameGenerated = !pattern.fields.isEmpty || pattern.hasTime || path != named
    files[path] = sink
    return sink
  }

  private func free(_ path: String) -> String {
    var number = 1
    var candidate = path
    while isTaken(candidate) {
      number += 1
      candidate = path.numbered(number)
    }
    return candidate
  }

  private func isTaken(_ path: String) -> Bool {
    if files[path] != nil { return true }
    return unsafe !overwrites && !appends && access(Pathname(path).cString, F_OK) == 0
  }
}
