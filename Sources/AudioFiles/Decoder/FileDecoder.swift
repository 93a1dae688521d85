// SPDX-License-Identifier: Apache-2.0
/// Who decodes a file.
public enum FileDecoder: String, Sendable, Hashable, CaseIterable {
  /// libsndfile; what it does not know, `ffmpeg` where that is on the PATH.
  case automatic = "auto"
  /// libsndfile alone.
  case none
  /// `ffmpeg`, also where libsndfile knows the file.
  case ffmpeg
}

extension FileDecoder {
  /// What ffmpeg makes of a file that libsndfile refused.
  ///
  /// - Parameters:
  ///   - refusal: why.
  ///   - input: what was refused, where it has no name.
  ///   - isDescribed: whether it was said what the file is, so that nothing else counts.
  /// - Throws: `refusal`, where that is the better answer; else what `decode` throws.
  func instead<Result>(
    of refusal: AudioError, for path: String, _ input: FileDescriptor?, isDescribed: Bool,
    decode: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    var refusal = refusal
    let isForeign = ForeignContainer.isReason(of: refusal)
    guard [.unrecognised, .unsupported].contains(refusal.kind), !isDescribed else { throw refusal }
    // Of a stream that is of no known kind it is not known either whether it ends.
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

  /// Whether it is a regular file. A named pipe is not opened once more: that would be to wait for another writer.
  private static func isRegular(_ path: String) throws(AudioError) -> Bool {
    guard FileIdentity(ofFileAt: path) != nil else { return false }
    return try FileDescriptor(reading: path).isRegular
  }

  /// Whether a file is text: a play list is not played.
  private static func isText(_ path: String) throws(AudioError) -> Bool {
    let bytes = try FileDescriptor(reading: path).bytes(FileBeginning.length, at: 0)
    return FileBeginning(bytes, named: path).isText
  }
}
