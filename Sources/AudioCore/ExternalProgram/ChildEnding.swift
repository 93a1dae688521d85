import Glibc

/// How a process ended.
enum ChildEnding: Equatable {
  case exited(Int32)
  case killed(signal: Int32)
  /// Somebody else took the status, or the system keeps none because SIGCHLD is ignored.
  case unknown

  /// - Parameter status: what `waitpid` stored (wait(2), "WIFEXITED").
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  var isSuccess: Bool { self == .exited(0) || self == .unknown }
}

extension ChildEnding: CustomStringConvertible {
  /// For example `it exited with status 3`.
  var description: String {
    switch self {
    case .exited(let status) where status > 128 && status <= 128 + 64:
      // How a shell passes on that the program it ran was killed.
      "it was killed by signal \(status - 128) (\(Self.name(status - 128)))"
    case .exited(let status): "it exited with status \(status)"
    case .killed(let signal): "it was killed by signal \(signal) (\(Self.name(signal)))"
    case .unknown: "it ended"
    }
  }

  private static func name(_ signal: Int32) -> String {
    guard let text = unsafe strsignal(signal) else { return "unknown" }
    return unsafe String(cString: text).lowercased()
  }
}
