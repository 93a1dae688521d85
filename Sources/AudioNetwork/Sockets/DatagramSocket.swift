// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A socket of UDP that receives at one address. The thread of the network, after its creation.
struct DatagramSocket: ~Copyable {
  /// A receive buffer for a second of 64 channels of L24 at 48 kHz; the system may grant less.
  private static let bufferSize: Int32 = 1 << 23

  let descriptor: Int32

  /// Binds a socket to an address of this machine, or joins the group of a multicast address.
  ///
  /// - Parameters:
  ///   - address: port 0 for any free port.
  ///   - sender: the only sender to a group. Nil if any may send.
  ///   - name: of the stream, in errors.
  init(
    at address: SocketAddress, from sender: SocketAddress? = nil, name: String
  ) throws(AudioError) {
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(address.family, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else {
      throw AudioError(systemCode: errno, cannot: "receive", name)
    }
    var size = Self.bufferSize
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    if address.isMulticast {
      // Several programs of one machine may listen to a group.
      var yes: Int32 = 1
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    }
    let code = unsafe address.withSystemAddress { unsafe bind(descriptor, $0, $1) }
    guard code == 0 else {
      // The initialiser ends without its deinit.
      let error = Self.error(errno, at: address, name)
      Glibc.close(descriptor)
      throw error
    }
    if address.isMulticast, join(address, from: sender) != 0 {
      let error = AudioError(
        .unavailable, cannot: "receive", name,
        because: "the group \(address.host) cannot be joined: "
          + (unsafe String(cString: strerror(errno)).lowercased()),
        advice: "the machine needs a network with a route for multicast")
      throw error
    }
  }

  deinit { Glibc.close(descriptor) }

  /// The port that the system has chosen.
  var port: UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    return code == 0 ? SocketAddress(storage)?.port ?? 0 : 0
  }

  /// RFC 3678: the calls for groups that IPv4 and IPv6 share.
  private borrowing func join(_ group: SocketAddress, from sender: SocketAddress?) -> Int32 {
    let level = group.isVersion6 ? Int32(IPPROTO_IPV6) : Int32(IPPROTO_IP)
    if let sender, sender.isVersion6 == group.isVersion6 {
      var request = group_source_req()
      request.gsr_group = group.storage
      request.gsr_source = sender.storage
      return unsafe setsockopt(
        descriptor, level, MCAST_JOIN_SOURCE_GROUP, &request,
        socklen_t(MemoryLayout<group_source_req>.size))
    }
    var request = group_req()
    request.gr_group = group.storage
    return unsafe setsockopt(
      descriptor, level, MCAST_JOIN_GROUP, &request, socklen_t(MemoryLayout<group_req>.size))
  }

  /// Receives a datagram.
  ///
  /// - Returns: its length, at most that of `bytes`, and its sender. Nil if there is none.
  borrowing func receive(into bytes: inout [UInt8]) -> (count: Int, sender: SocketAddress?)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = unsafe withUnsafeMutablePointer(to: &storage) { place in
      unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bytes.withUnsafeMutableBytes { room in
          unsafe recvfrom(descriptor, room.baseAddress, room.count, 0, address, &size)
        }
      }
    }
    return count < 0 ? nil : (count, SocketAddress(storage))
  }

  /// Sends a datagram.
  ///
  /// - Returns: false if the system does not take it, with the reason in `errno`.
  borrowing func send(_ bytes: [UInt8], to address: SocketAddress) -> Bool {
    let descriptor = descriptor
    let sent = unsafe address.withSystemAddress { target, size in
      unsafe bytes.withUnsafeBytes {
        unsafe sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), target, size)
      }
    }
    return sent == bytes.count
  }

  private static func error(_ code: Int32, at address: SocketAddress, _ name: String) -> AudioError
  {
    switch code {
    case EADDRNOTAVAIL:
      AudioError(
        .invalidParameter, cannot: "receive", name,
        because: "this machine does not have the address \(address.host)",
        advice: "give one of its own, 0.0.0.0 for all of them, or a multicast group")
    case EADDRINUSE:
      AudioError(
        .unavailable, cannot: "receive", name,
        because: "another program receives at port \(address.port)")
    default: AudioError(systemCode: code, cannot: "receive", name)
    }
  }
}
