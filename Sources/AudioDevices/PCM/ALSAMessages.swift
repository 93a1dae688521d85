// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

/// libasound's own messages, which would otherwise go to standard error.
///
/// Each object file that uses the shim's functions gets a copy with a message of its own. So only this file may use
/// them, and nothing here may be inlined into another file.
enum ALSAMessages {
  private static let areKept: Bool = {
    calsa_keep_messages()
    return true
  }()

  /// Drops the calling thread's message and turns on the capture of later messages.
  @inline(never)
  static func forget() {
    _ = areKept
    unsafe calsa_message()?.pointee = 0
  }

  /// The calling thread's first message since ``forget()``, on one line; nil if there is none.
  @inline(never)
  static func first() -> String? {
    guard let message = unsafe calsa_message(), unsafe message.pointee != 0 else { return nil }
    let lines = unsafe String(cString: message).split(whereSeparator: \.isNewline)
    return lines.joined(separator: " ")
  }
}

/// Calls a function of libasound; its failure becomes an error with the action, the C function's name and libasound's
/// message.
///
/// - Returns: the result of `body`, 0 or above.
@discardableResult
func callALSA(
  _ function: StaticString, cannot action: String, _ device: String, _ body: () -> CInt
) throws(AudioError) -> Int {
  ALSAMessages.forget()
  let code = body()
  guard code < 0 else { return Int(code) }
  throw AudioError(alsaCode: Int(code), from: function.description, cannot: action, device)
}

/// Allocates a structure of libasound; its failure becomes an error as in ``callALSA(_:cannot:_:_:)``.
///
/// - Returns: the structure, which the caller frees.
func allocateALSA(
  _ function: StaticString, cannot action: String, _ device: String,
  _ allocate: (inout OpaquePointer?) -> CInt
) throws(AudioError) -> OpaquePointer {
  var allocated: OpaquePointer?
  try callALSA(function, cannot: action, device) { unsafe allocate(&allocated) }
  guard let structure = unsafe allocated else {
    throw AudioError(.unavailable, cannot: action, device, because: "out of memory")
  }
  return unsafe structure
}

extension AudioError {
  /// - Parameter alsaCode: the result of the C function: a negative errno.
  init(alsaCode: Int, from function: String, cannot action: String, _ device: String) {
    let (kind, advice): (Kind, String?) =
      switch CInt(-alsaCode) {
      case ENOENT, ENODEV, ENXIO: (.notFound, "check the name in the list of devices")
      case EBUSY: (.unavailable, "close the program that uses it")
      case EACCES, EPERM: (.unavailable, "add the user to the group 'audio'")
      case ECONNREFUSED: (.unavailable, "start its sound server")
      case EAGAIN: (.unavailable, nil)
      case EINVAL, ENOSYS, ENOTSUP: (.unsupported, nil)
      default: (.inputOutput, nil)
      }
    let detail = ALSAMessages.first().map { ": \($0)" } ?? ""
    self.init(
      kind, cannot: action, device,
      because: "\(describe(alsaCode: alsaCode)) (\(function)\(detail))", advice: advice)
  }
}

/// The meaning of a negative errno in lower case; "no such device" for an unknown name.
func describe(alsaCode: Int) -> String {
  switch CInt(-alsaCode) {
  case ENOENT, ENODEV, ENXIO: return "no such device"
  case EBUSY: return "the device is in use"
  default:
    guard let text = unsafe snd_strerror(CInt(alsaCode)) else { return "error \(alsaCode)" }
    return unsafe String(cString: text).lowercased()
  }
}
