// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// A socket for a service's status messages to its manager: sd_notify(3) of systemd, without its library.
///
/// Never waits: messages without room are dropped. Main thread only.
final class ServiceSocket {
  private let descriptor: Int32
  private var address = sockaddr_un()
  private let length: socklen_t

  /// - Parameter name: the name of a datagram socket: a path, or `@` and an abstract name (unix(7), "Abstract").
  /// - Returns: nil if there can be no such socket.
  init?(named name: String) {
    var bytes = Pathname(name).bytes
    let isAbstract = bytes.first == UInt8(ascii: "@")
    guard isAbstract || bytes.first == UInt8(ascii: "/") else { return nil }
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    guard bytes.count > 1, bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
      return nil
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    length = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + bytes.count)
    let type = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
    descriptor = socket(AF_UNIX, Int32(type), 0)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Sends assignments such as `READY=1` in one datagram.
  func send(_ assignments: [String]) {
    let message = Array(assignments.joined(separator: "\n").utf8)
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let descriptor = descriptor
    let length = length
    unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = unsafe sendto(descriptor, message, message.count, flags, address, length)
      }
    }
  }
}
