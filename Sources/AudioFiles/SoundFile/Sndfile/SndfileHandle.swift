// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import CSndfile
import Glibc

/// A file opened by libsndfile.
///
/// Session thread only. `deinit` closes silently; ``close()`` reports errors.
@safe
final class SndfileHandle {
  /// The format that libsndfile found in the file or was told to write.
  let information: SF_INFO
  /// The file's name in errors.
  let name: String
  /// nil if libsndfile uses a pipe itself.
  let storage: SndfileStorage?
  /// Kept to hold the file open while libsndfile uses it.
  private let descriptor: FileDescriptor
  private let beginning: StreamBeginning?
  private var handle: OpaquePointer?

  /// Whether a pipe of limited size holds what libsndfile writes.
  var isBeginning: Bool { beginning.map { !$0.isOver } ?? false }

  /// The corresponding C functions are `sf_open_virtual` and, on a pipe, `sf_open_fd`.
  ///
  /// - Parameters:
  ///   - mode: `SFM_READ` or `SFM_WRITE`.
  ///   - streamsItself: whether libsndfile can write this container to a pipe itself.
  init(
    _ descriptor: FileDescriptor, mode: Int, _ wanted: SF_INFO = SF_INFO(),
    seeing view: SndfileView = SndfileView(), streamsItself: Bool = true
  ) throws(AudioError) {
    var information = wanted
    name = descriptor.name
    self.descriptor = descriptor
    if descriptor.isRegular || !streamsItself {
      let storage = SndfileStorage(descriptor, view)
      self.storage = storage
      beginning = nil
      var callbacks = storage.callbacks
      unsafe handle = sf_open_virtual(&callbacks, Int32(mode), &information, storage.userData)
    } else {
      storage = nil
      beginning = try StreamBeginning(descriptor)
      // Otherwise the bytes in front of libsndfile's go out now.
      if beginning == nil { _ = try descriptor.releaseBeginning() }
      unsafe handle = sf_open_fd(
        beginning?.number ?? descriptor.number, Int32(mode), &information, 0)
    }
    self.information = information
    storage?.beginSamples()
    guard unsafe handle != nil else {
      if let failure = storage?.failure { throw failure }
      throw unsafe AudioError(
        sndfileCode: sf_error(nil), sf_strerror(nil),
        cannot: mode == SFM_READ ? "read" : "write to",
        name)
    }
  }

  /// Opens a file of known kind for reading. If libsndfile does not recognise it, it is malformed.
  static func ofKnownKind(
    _ file: FileDescriptor, _ wanted: SF_INFO = SF_INFO(), seeing view: SndfileView = SndfileView()
  ) throws(AudioError) -> SndfileHandle {
    do {
      return try SndfileHandle(file, mode: SFM_READ, wanted, seeing: view)
    } catch {
      var error = error
      if error.kind == .unrecognised { error.kind = .malformed }
      throw error
    }
  }

  deinit {
    if let handle = unsafe handle { unsafe sf_close(handle) }
  }

  /// Runs `call` with the C handle and reports its errors.
  ///
  /// - Parameter action: the verb of `call` in errors.
  func perform<Result>(
    _ action: String, _ call: (OpaquePointer) -> Result
  ) throws(AudioError) -> Result {
    guard let handle = unsafe handle else {
      throw AudioError(.lifeCycle, cannot: action, name, because: "it is closed")
    }
    errno = 0
    let result = unsafe call(handle)
    let systemCode = errno
    try unsafe check(sf_error(handle), systemCode, sf_strerror(handle), cannot: action)
    try beginning?.passOn()
    return result
  }

  /// Throws the error behind libsndfile's `code`.
  private func check(
    _ code: Int32, _ systemCode: Int32, _ text: @autoclosure () -> UnsafePointer<CChar>?,
    cannot action: String
  ) throws(AudioError) {
    if let failure = storage?.failure { throw failure }
    guard code != SF_ERR_NO_ERROR else { return }
    // The system's code may also be left over from another call.
    if [ENOSPC, EIO, EFBIG, EDQUOT, EPIPE, EBADF, ENXIO, EROFS].contains(systemCode) {
      throw AudioError(systemCode: systemCode, cannot: action, name)
    }
    throw unsafe AudioError(sndfileCode: code, text(), cannot: action, name)
  }

  /// The byte order of the file's plain samples. The corresponding C command is `SFC_RAW_DATA_NEEDS_ENDSWAP`.
  ///
  /// - Parameter action: the caller's verb in errors.
  func byteOrder(to action: String) throws(AudioError) -> ByteOrder {
    let isSwapped = try unsafe perform(action) { file in
      unsafe sf_command(file, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) != 0
    }
    return isSwapped == (ByteOrder.native == .little) ? .big : .little
  }

  enum BitRateMode {
    case constant
    /// Variable, with a given mean.
    case average
    case variable

    fileprivate var number: Int32 {
      let number: Int =
        switch self {
        case .constant: SF_BITRATE_MODE_CONSTANT
        case .average: SF_BITRATE_MODE_AVERAGE
        case .variable: SF_BITRATE_MODE_VARIABLE
        }
      return Int32(number)
    }
  }

  /// Sets the codec's level and bit rate mode before the first write. The corresponding C commands are
  /// `SFC_SET_COMPRESSION_LEVEL` and `SFC_SET_BITRATE_MODE`.
  ///
  /// - Parameters:
  ///   - level: from 0, the largest file, to 1, the smallest one.
  ///   - mode: nil = the codec's choice.
  func encode(at level: Double, _ mode: BitRateMode?) throws(AudioError) {
    var level = level
    let isSet = try unsafe perform("write to") { file in
      // Setting the mode also applies the level.
      var isTaken =
        unsafe sf_command(
          file, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size)) != 0
      if let mode {
        var mode = mode.number
        isTaken =
          unsafe sf_command(
            file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size)) != 0
      }
      return isTaken
    }
    guard isSet else {
      throw AudioError(
        .unsupported, cannot: "write to", name, because: "libsndfile refuses the encoder's settings"
      )
    }
  }

  /// Completes the file. The corresponding C function is `sf_close`.
  func close() throws(AudioError) {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    errno = 0
    let code = unsafe sf_close(handle)
    let systemCode = errno
    // Given a negative number, sf_error_number prints.
    try unsafe check(
      code, systemCode, code > 0 ? sf_error_number(code) : nil, cannot: "complete")
    try beginning?.passOn()
  }
}

extension AudioError {
  /// The error for a file that contradicts itself, ends too early or holds no sound.
  static func malformed(_ name: String, because reason: String) -> AudioError {
    AudioError(.malformed, cannot: "read", name, because: reason)
  }

  /// The error that libsndfile names by a code and a text.
  init(
    sndfileCode code: Int32, _ text: UnsafePointer<CChar>?, cannot action: String, _ subject: String
  ) {
    let kind: Kind =
      switch Int(code) {
      case SF_ERR_UNRECOGNISED_FORMAT where action == "read": .unrecognised
      case SF_ERR_SYSTEM: .inputOutput
      case SF_ERR_UNSUPPORTED_ENCODING: .unsupported
      default: action == "read" ? .malformed : action == "complete" ? .inputOutput : .unsupported
      }
    let message = unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    self.init(kind, cannot: action, subject, because: Self.reason(sndfileCode: code, message))
  }

  /// SFE_BAD_FILE, from libsndfile's `common.h`: the MPEG decoder's code for an open, but damaged file.
  private static var damagedMPEG: Int32 { 7 }

  /// libsndfile's message without its prefix, full stop and capital, to be part of a longer line.
  private static func reason(sndfileCode code: Int32, _ message: String) -> String {
    if code == damagedMPEG { return "libsndfile finds no MPEG audio in it" }
    var text = Substring(message)
    for prefix in ["Error : ", "Error: ", "Internal error : ", "System error : "]
    where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    text = text.prefix { !$0.isNewline }
    while text.last == "." || text.last == " " { text = text.dropLast() }
    let firstWord = text.prefix { $0 != " " }
    let origin = Int(code) == SF_ERR_SYSTEM ? "" : "libsndfile says: "
    let isName = firstWord.dropFirst().contains { $0.isUppercase }
    let start = isName ? String(text.prefix(1)) : text.prefix(1).lowercased()
    return "\(origin)\(start)\(text.dropFirst())"
  }
}

/// The output that codecs print by themselves.
///
/// libmpg123, inside libsndfile, prints warnings about damaged files to the C library's `stderr`, and neither has a
/// switch for it. libsndfile's own SDS reader prints to `stdout`.
package enum CodecChatter {
  /// Discards the C library's `stdout` and `stderr` for the rest of the process.
  ///
  /// For programs that write to the descriptors 1 and 2 themselves: Swift's `print` is discarded, too. Call this before
  /// other threads exist.
  public static func silence() {
    // A failure only leaves the output visible.
    _ = rawaudio_silence_c_streams()
  }
}
