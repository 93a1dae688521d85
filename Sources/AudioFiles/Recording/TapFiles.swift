// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The sound files of a tap: one for each stream, named after a pattern.
///
/// In the pattern `%s` is the stream's name (``TappedStream/name``) and `%%` a percent sign. Names hold no path
/// separator, so a tap never leaves the directory that the pattern names. Session thread.
public final class TapFiles {
  private let pattern: TapPattern
  private let container: Container
  private let encoding: SampleEncoding?
  private let byteOrder: ByteOrder?
  private let overwrites: Bool
  private let numbersRepeats: Bool
  private let appends: Bool
  private var files: [String: SoundFileSink] = [:]

  /// - Parameters:
  ///   - pattern: the path.
  ///   - container: nil = by the extension.
  ///   - encoding: nil = the widest of the sources that feed the stream, or the container's default for it.
  ///   - byteOrder: nil = the container's default.
  ///   - overwrite: whether existing files may be replaced.
  ///   - numbersRepeats: whether a stream gets a numbered file, such as `track-anna-2.wav`, if its file is taken by
  ///     another stream or by an existing file. For sessions that sources join unattended.
  ///   - appends: whether samples go behind those of an existing file; only for raw samples.
  /// - Throws: `invalidParameter` for an unknown conversion; `unsupported` if the container is unknown, cannot hold the
  ///   encoding or cannot be extended.
  public init(
    pattern: String, container: Container? = nil, encoding: SampleEncoding? = nil,
    byteOrder: ByteOrder? = nil, overwrite: Bool = false, numbersRepeats: Bool = false,
    appends: Bool = false
  ) throws(AudioError) {
    self.pattern = try TapPattern(pattern)
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
    overwrites = overwrite
    self.numbersRepeats = numbersRepeats
    if let encoding { _ = try FileFormat(container, encoding, byteOrder: byteOrder) }
  }

  /// The number of samples so far, over all files, that exceeded full scale and were clipped. After the session.
  public var clippedSamples: Int { files.values.reduce(0) { $0 + $1.clippedSamples } }

  /// The number of NaN samples so far, over all files. After the session.
  public var notANumberSamples: Int { files.values.reduce(0) { $0 + $1.notANumberSamples } }

  /// The path of the file for a stream with this ``TappedStream/name``.
  public func path(forStreamNamed name: String) -> String { pattern.path(name) }

  /// The sink for `stream`. If the session is live or cannot be repeated, the file appears at once and keeps its
  /// samples after a failure. Otherwise it appears when it is complete.
  ///
  /// - Throws: `invalidParameter` if another stream has that file already.
  public func sink(for stream: some TappedStream) throws(AudioError) -> any AudioSink {
    let path = numbersRepeats ? freePath(stream.name) : pattern.path(stream.name)
    guard files[path] == nil else {
      throw AudioError(
        .invalidParameter, cannot: "write to", path,
        because: "the tap sees several streams, and one file holds one",
        advice: pattern.namesStreams
          ? "give the sources other ids" : "put %s, the source's id, into the name")
    }
    let format = try FileFormat(
      container, encoding ?? container.defaultEncoding(for: stream.encoding), byteOrder: byteOrder)
    let sink = SoundFileSink(
      path: path, format: format, overwrite: overwrites || appends,
      replacement: appends
        ? .appended : stream.isLive || !stream.isRepeatable ? .inPlace : .onCompletion)
    sink.isNameGenerated = pattern.namesStreams || path != pattern.path(stream.name)
    files[path] = sink
    return sink
  }

  private func freePath(_ name: String) -> String {
    let path = pattern.path(name)
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

/// The name of a tap's files: text with `%s` for the stream's name and `%%` for a percent sign.
private struct TapPattern {
  /// Texts; nil = the stream's name.
  private let parts: [String?]

  /// - Throws: `invalidParameter` for any other `%`.
  init(_ pattern: String) throws(AudioError) {
    var parts: [String?] = []
    var text = ""
    var rest = pattern.makeIterator()
    while let character = rest.next() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      switch rest.next() {
      case "%": text.append("%")
      case "s":
        parts += [text, nil]
        text = ""
      case let other:
        throw AudioError(
          .invalidParameter, cannot: "use the file name", pattern,
          because: "'%\(other.map(String.init) ?? "")' means nothing",
          advice: "write %s for the source's id and %% for a percent sign")
      }
    }
    self.parts = parts + [text]
  }

  var namesStreams: Bool { parts.contains(nil) }

  func path(_ name: String) -> String { parts.map { $0 ?? name }.joined() }
}
