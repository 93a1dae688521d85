// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// The first bytes of a file or a stream, behind tags, which identify its kind.
struct FileBeginning {
  /// The number of bytes to examine.
  static let length = 512

  /// Fewer than ``length`` only in a shorter file.
  let bytes: [UInt8]
  private let name: String

  /// - Parameter name: the file's name in errors.
  init(_ bytes: [UInt8], named name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// Whether the bytes look like text, without control characters that do not occur in text.
  var isText: Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }

  var isOgg: Bool { bytes.has("OggS", at: 0) }

  /// Whether the file is Ogg and begins with a single stream of Vorbis or Opus.
  private var isOggOfOneStream: Bool {
    // A first page has one segment: 28 bytes before its packet.
    guard isOgg, bytes.has("\u{1}vorbis", at: 28) || bytes.has("OpusHead", at: 28) else {
      return false
    }
    let second = 28 + Int(bytes[27])
    return bytes.count <= second + 5 || bytes[second + 5] & OggPage.isFirst == 0
  }

  /// Whether libsndfile 1.2.0 reads such a file from a pipe, as measured: plain AU, AIFF and W64, and Vorbis or Opus in
  /// Ogg. It refuses or misreads everything else there, and reads MPEG from beyond its buffer.
  var canStream: Bool {
    if bytes.has(".snd", at: 0), bytes.count >= 16 {
      let encoding = bytes.integer(at: 12, 4, .big)
      return (1...7).contains(encoding) || encoding == 27
    }
    if bytes.has("FORM", at: 0) { return bytes.has("AIFF", at: 8) }
    if bytes.has("riff", at: 0), bytes.has("fmt ", at: 40), bytes.count >= 66 {
      return [1, 3, 6, 7].contains(bytes.integer(at: 64, 2, .little))
    }
    return isOggOfOneStream
  }

  /// Throws if the bytes are of no known kind, before an endless stream is spooled.
  func expectSound() throws(AudioError) {
    // Only the file's length identifies an HTK header, and only the bytes behind a tag identify a tagged file.
    let mayBeHTK = bytes.count >= 12 && bytes[8..<12].elementsEqual([0, 2, 0, 0])
    let needsMore = mayBeHTK || bytes.has("ID3", at: 0) || bytes.has("APETAGEX", at: 0)
    guard !bytes.isEmpty, !needsMore, !WaveHeader.begins(bytes) else { return }
    let beginning = try SpooledFile.holding(bytes, named: name)
    do {
      _ = try SndfileHandle(beginning, mode: SFM_READ)
    } catch {
      // Any other failure may be due to the missing rest.
      if error.kind == .unrecognised { throw unrecognised }
    }
  }

  /// Opens the file with this beginning by libsndfile.
  func open(
    _ file: FileDescriptor, seeing view: SndfileView = SndfileView()
  ) throws(AudioError) -> SndfileHandle {
    do throws(AudioError) {
      let handle = try SndfileHandle(file, mode: SFM_READ, seeing: view)
      // The mark of Sound Designer II is in another file.
      if Int(handle.information.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_SD2 { throw unrecognised }
      return handle
    } catch {
      let error = error.naming(foreign == nil ? ForeignCoding.name(bytes) : nil, in: name)
      switch error.kind {
      case .unrecognised,
        .malformed where foreign != nil || isText || isOfNoKind(file, view.parts),
        .unsupported where isText && !ForeignContainer.isReason(of: error):
        throw unrecognised
      default: throw error
      }
    }
  }

  /// Whether libsndfile failed to read a resource fork beside a file of unknown kind.
  private func isOfNoKind(_ file: FileDescriptor, _ parts: [Range<Int64>]?) -> Bool {
    do {
      _ = try SndfileHandle(
        file, mode: SFM_READ, seeing: SndfileView(parts: parts, hidesLength: true))
      return false
    } catch {
      return error.kind == .unrecognised
    }
  }

  /// Whether MPEG audio frames may follow the bytes refused with `error`.
  func mayComeBeforeMPEG(_ error: AudioError) -> Bool {
    [.unrecognised, .malformed].contains(error.kind) && !isText
      && foreign?.isLikeNothingElse != true
  }

  /// The kind of a file that libsndfile cannot read; nil if unknown.
  var foreign: ForeignContainer? { ForeignContainer(bytes) }

  var unrecognised: AudioError {
    AudioError(
      .unrecognised, cannot: "read", name,
      because: foreign?.reason
        ?? (isText ? "it is text, not sound" : "it is not a sound file that libsndfile knows"))
  }
}

extension FileDescriptor {
  /// Whether the bytes now in a pipe contain MPEG audio frames.
  func showsMPEG() throws(AudioError) -> Bool {
    guard isPipe else { return false }
    let (bytes, _) = try preview(1 << 14) { _ in true }
    let window = FileWindow(holding: bytes, named: name)
    return try MpegStream(in: window, from: 0, searching: true) != nil
  }
}
