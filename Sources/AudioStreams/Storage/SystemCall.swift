// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Calls of the operating system that return a negative number on failure and set `errno`.
package enum SystemCall {
  /// Makes the call, and repeats it while a signal interrupts it.
  ///
  /// - Parameter mustEnd: asked after each interruption; if it is true, the call stays interrupted.
  package static func retrying<Result: SignedInteger>(
    unless mustEnd: @autoclosure () -> Bool = false, _ call: () -> Result
  ) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR || mustEnd() { return result }
    }
  }
}

extension AudioError {
  /// The error of a system call that failed with `code`.
  package init(systemCode code: Int32, cannot action: String, _ subject: String) {
    let kind: Kind
    switch code {
    case ENOENT: kind = .notFound
    case ENOTDIR, EISDIR, EACCES, EPERM, EROFS, ELOOP, ENXIO, EBUSY, ETXTBSY, ENAMETOOLONG, EMFILE:
      kind = .unavailable
    case EINTR: kind = .interrupted
    case EEXIST: kind = .alreadyExists
    default: kind = .inputOutput
    }
    self.init(
      kind, cannot: action, subject, because: Self.reason(systemCode: code),
      advice: code == EMFILE ? "this process may open more after ulimit -n" : nil)
  }

  /// Whether a file could not grow: the disk or a quota is full, or the file has its largest size.
  package var isOfFullDisk: Bool {
    kind == .inputOutput
      && [ENOSPC, EDQUOT, EFBIG].contains { reason == Self.reason(systemCode: $0) }
  }

  /// Whether a file could not grow because of its size, on a disk that may have room.
  package var isOfLargestFile: Bool { reason == Self.reason(systemCode: EFBIG) }

  /// The reason of an error code: our own text, or the operating system's with a lower-case first letter.
  package static func reason(systemCode code: Int32) -> String {
    switch code {
    case ENOENT: return "no such file"
    case EISDIR: return "it is a directory"
    case EACCES, EPERM: return "permission denied"
    case EEXIST: return "it exists already"
    case ENOTDIR: return "a part of the path is not a directory"
    default: break
    }
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    let message = unsafe String(cString: text)
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}
