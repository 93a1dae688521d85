// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A connection of TCP. One thread.
struct StreamSocket {
  private let handle: Descriptor
  let peer: SocketAddress
  var descriptor: Int32 { handle.number }

  /// Connects to the first address that answers. Each has its share of the time that is left.
  ///
  /// - Parameters:
  ///   - limit: when the wait ends.
  ///   - name: of the stream, in errors.
  /// - Throws: `unavailable`; `interrupted` if `mustEnd` says so.
  init(
    to addresses: [SocketAddress], until limit: MonotonicTime, name: String,
    mustEnd: () -> Bool
  ) throws(AudioError) {
    var reason = "it has no address"
    for (index, address) in addresses.enumerated() {
      let left = limit.elapsed(since: .now) / (addresses.count - index)
      let (socket, code) = Self.connection(
        to: address, until: MonotonicTime.now.later(by: left), mustEnd)
      if let socket {
        handle = socket
        peer = address
        return
      }
      reason = Self.reason(code)
      if mustEnd() { throw Self.interruption(name) }
    }
    throw AudioError(.unavailable, cannot: "connect to", name, because: reason)
  }

  /// - Returns: nil if it fails, and the error's number.
  private static func connection(
    to address: SocketAddress, until limit: MonotonicTime, _ mustEnd: () -> Bool
  ) -> (Descriptor?, Int32) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(address.family, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard let socket = try? Descriptor(number, cannot: "connect to", "") else {
      return (nil, errno)
    }
    let code = unsafe address.withSystemAddress { unsafe connect(number, $0, $1) }
    var failure: Int32 = code == 0 ? 0 : errno
    if failure == EINPROGRESS {
      let isReady = wait(number, Int16(POLLOUT), until: limit, mustEnd)
      failure = isReady ? error(of: number) : ETIMEDOUT
    }
    return failure == 0 ? (socket, 0) : (nil, failure)
  }

  /// The address of this machine that the connection uses.
  var local: SocketAddress? { SocketAddress(ofSocket: descriptor) }

  /// Sends all bytes.
  func send(
    _ bytes: [UInt8], until limit: MonotonicTime, name: String, mustEnd: () -> Bool
  ) throws(AudioError) {
    var sent = 0
    while sent < bytes.count {
      let number = descriptor
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(
          number, $0.baseAddress.map { unsafe $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        guard errno == EAGAIN, Self.wait(descriptor, Int16(POLLOUT), until: limit, mustEnd) else {
          let reason = errno == EAGAIN ? "it takes no request" : Self.reason(errno)
          throw AudioError(.unavailable, cannot: "ask", name, because: reason)
        }
      }
    }
  }

  /// Waits for bytes.
  ///
  /// - Returns: false if none came.
  func waitForBytes(until limit: MonotonicTime, mustEnd: () -> Bool) -> Bool {
    Self.wait(descriptor, Int16(POLLIN), until: limit, mustEnd)
  }

  /// Receives the bytes that have come.
  ///
  /// - Returns: their count; 0 if none have.
  /// - Throws: `deviceLost` if none will.
  func receive(into bytes: inout [UInt8], name: String) throws(AudioError) -> Int {
    let number = descriptor
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(number, $0.baseAddress, $0.count, 0)
    }
    if count > 0 { return count }
    if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
    let reason = count == 0 ? "the server has closed the connection" : Self.reason(errno)
    throw AudioError(.deviceLost, cannot: "receive", name, because: reason)
  }

  private static func wait(
    _ number: Int32, _ events: Int16, until limit: MonotonicTime, _ mustEnd: () -> Bool
  ) -> Bool {
    while !mustEnd() {
      let left = limit.elapsed(since: .now).inNanoseconds / 1_000_000
      if left <= 0 { return false }
      var request = pollfd(fd: number, events: events, revents: 0)
      // The request to end comes from another thread.
      if unsafe poll(&request, 1, Int32(min(left + 1, 100))) > 0 { return true }
    }
    return false
  }

  private static func error(of number: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(4)
    return unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }

  private static func reason(_ code: Int32) -> String {
    code == ETIMEDOUT ? "it does not answer" : unsafe String(cString: strerror(code)).lowercased()
  }

  private static func interruption(_ name: String) -> AudioError {
    AudioError(.interrupted, cannot: "connect to", name, because: "the session was asked to end")
  }
}
