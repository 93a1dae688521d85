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
    // Of a stream that nobody knows it is not known either whether it ends.
    guard self != .none, input == nil ? try Self.isBinaryFile(path) : isForeign else {
      if isForeign {
        refusal.advice =
          self == .none ? "ffmpeg would decode it" : "save it to a file, and ffmpeg decodes it"
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

  /// Whether it is a regular file, and no text: neither is a play list played.
  private static func isBinaryFile(_ path: String) throws(AudioError) -> Bool {
    // To open a named pipe once more would be to wait for another writer.
    guard FileIdentity(ofFileAt: path) != nil else { return false }
    let file = try FileDescriptor(reading: path)
    guard file.isRegular else { return false }
    return !FileBeginning(try file.bytes(FileBeginning.length, at: 0), named: path).isText
  }
}
