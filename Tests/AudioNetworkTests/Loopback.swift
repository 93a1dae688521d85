// SPDX-License-Identifier: Apache-2.0
import Glibc
@testable import AudioNetwork

/// Sockets of this machine for tests.
enum Loopback {
  static func address(_ host: String = "127.0.0.1", port: UInt16 = 0) throws -> SocketAddress {
    try HostLookup(atMost: .seconds(10)) { false }.addresses(of: host, port: port)[0]
  }

  /// A socket of TCP that listens, with its address.
  ///
  /// - Parameter backlog: one less than the connections that it takes before they are accepted. Nil: it refuses all.
  static func listener(backlog: Int32? = 16) throws -> (socket: Descriptor, address: SocketAddress)
  {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = try Descriptor(socket(AF_INET, kind, 0), cannot: "listen", "test")
    let number = listener.number
    let code = try unsafe address().withSystemAddress { unsafe bind(number, $0, $1) }
    guard code == 0, backlog.map({ listen(number, $0) }) ?? 0 == 0,
      let address = SocketAddress(ofSocket: number)
    else { throw AudioError(systemCode: errno, cannot: "listen", "test") }
    return (listener, address)
  }

  /// Sends a datagram to a group at the interface `lo`.
  static func send(_ bytes: [UInt8], from host: String, to group: SocketAddress) throws -> Bool {
    let sender = try DatagramSocket(at: address(host), name: "sender")
    var request = ip_mreqn()
    request.imr_ifindex = Int32(try NetworkInterface.number(of: "lo", for: "test"))
    unsafe setsockopt(
      sender.descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request,
      socklen_t(MemoryLayout<ip_mreqn>.size))
    return sender.send(bytes, to: group)
  }
}
