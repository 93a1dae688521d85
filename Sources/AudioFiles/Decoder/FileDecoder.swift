// SPDX-License-Identifier: Apache-2.0
/// The decoder of a file.
@nonexhaustive
public enum FileDecoder: String, Sendable, Hashable, CaseIterable {
  /// libsndfile; for files that it does not know, `ffmpeg` if it is on the PATH.
  case automatic = "auto"
  /// libsndfile alone.
  case none
  /// `ffmpeg`, even if libsndfile knows the file.
  case ffmpeg

  /// Lets ffmpeg decode a file that libsndfile refused.
  ///
  /// - Parameters:
  ///   - refusal: libsndfile's error.
  ///   - input: the refused input if it has no name.
  ///   - isDescribed: whether the caller stated the file's type, so that no other is tried.
  /// - Throws: `refusal` if it is the better answer; otherwise the error of `decode`.
  func instead<Result>(
    of refusal: AudioError, for path: String, _ input: FileDescriptor?, isDescribed: Bool,
    decode: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    var refusal = refusal
    let isForeign = ForeignContainer.isReason(of: refusal)
    guard [.unrecognised, .unsupported].contains(refusal.kind), !isDescribed else { throw refusal }
    // An unknown stream may never end.
    var canBeAsked = isForeign
    if input == nil {
      canBeAsked = try Self.isRegular(path)
      if canBeAsked, !isForeign { canBeAsked = try !Self.isText(path) }
    }
    guard self != .none, canBeAsked else {
      if isForeign {
        refusal.advice =
          self == .none ? AudioError.ffmpegWouldDecode : "save it to a file, and ffmpeg decodes it"
      }
      throw refusal
    }
    do {
      return try decode()
    } catch {
      switch error.kind {
      case .notFound where error.subject != path:
        if isForeign { refusal.advice = "ffmpeg decodes it: apt install ffmpeg" }
        throw refusal
      case .unrecognised where !isForeign, .malformed where !isForeign: throw refusal
      default: throw error
      }
    }
  }

  /// Whether it is a regular file. A named pipe is not opened again: that would wait for another writer.
  private static func isRegular(_ path: String) throws(AudioError) -> Bool {
    guard FileIdentity(ofFileAt: path) != nil else { return false }
    return try FileDescriptor(reading: path).isRegular
  }

  /// Whether a file is text, such as a play list, which is not played.
  private static func isText(_ path: String) throws(AudioError) -> Bool {
    let bytes = try FileDescriptor(reading: path).bytes(FileBeginning.length, at: 0)
    return FileBeginning(bytes, named: path).isText
  }
}
