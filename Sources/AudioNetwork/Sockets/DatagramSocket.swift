// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A socket of UDP that receives at one address. The thread of the network, after its creation.
struct DatagramSocket: Sendable {
  /// A datagram beside its bytes.
  struct Arrival {
    /// Bytes; at most those that there is room for.
    var count: Int
    var sender: SocketAddress?
    /// The time of day at which the kernel received it, in nanoseconds since 1970. Nil if it is not known.
    var time: Int64?
    /// Datagrams that the socket has dropped so far, for want of room. Nil if there were none.
    var dropped: UInt32?
  }

  /// A receive buffer for a second of 64 channels of L24 at 48 kHz; the system may grant less.
  private static let bufferSize: Int32 = 1 << 23

  private let handle: Descriptor
  var descriptor: Int32 { handle.number }

  /// Binds a socket to an address of this machine, or joins the group of a multicast address.
  ///
  /// - Parameters:
  ///   - address: port 0 for any free port.
  ///   - filter: the senders to a group.
  ///   - interface: the number of the interface to join a group at; 0 = the system chooses.
  ///   - name: of the stream, in errors.
  init(
    at address: SocketAddress, from filter: SenderFilter = .any, interface: UInt32 = 0,
    name: String
  ) throws(AudioError) {
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    handle = try Descriptor(
      socket(address.family, kind | Int32(SOCK_NONBLOCK.rawValue), 0), cannot: "receive", name)
    var size = Self.bufferSize
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    rawaudio_ask_for_arrivals(descriptor)
    if address.isMulticast {
      // Several programs of one machine may listen to a group.
      var yes: Int32 = 1
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
      if interface != 0 { rawaudio_leave_groups_of_others(descriptor, address.isVersion6 ? 1 : 0) }
    }
    let number = descriptor
    guard unsafe address.withSystemAddress({ unsafe bind(number, $0, $1) }) == 0 else {
      throw Self.error(errno, at: address, name)
    }
    guard address.isMulticast, !join(address, filter, at: interface) else { return }
    throw AudioError(
      .unavailable, cannot: "receive", name,
      because: "the group \(address.host) cannot be joined: "
        + (unsafe String(cString: strerror(errno)).lowercased()),
      advice: "the machine needs a network with a route for multicast")
  }

  /// The port that the system has chosen.
  var port: UInt16 { SocketAddress(ofSocket: descriptor)?.port ?? 0 }

  /// RFC 3678: the calls for groups that IPv4 and IPv6 share.
  ///
  /// - Returns: false if the system refuses one, with the reason in `errno`.
  private func join(
    _ group: SocketAddress, _ filter: SenderFilter, at interface: UInt32
  ) -> Bool {
    let hosts = filter.hosts.filter { $0.isVersion6 == group.isVersion6 }
    func set(_ option: Int32, _ sender: SocketAddress) -> Bool {
      var request = group_source_req()
      request.gsr_interface = interface
      request.gsr_group = group.storage
      request.gsr_source = sender.storage
      return unsafe setsockopt(
        descriptor, group.level, option, &request,
        socklen_t(MemoryLayout<group_source_req>.size)) == 0
    }
    if !filter.isExclusive, !hosts.isEmpty {
      return hosts.allSatisfy { set(MCAST_JOIN_SOURCE_GROUP, $0) }
    }
    var request = group_req()
    request.gr_interface = interface
    request.gr_group = group.storage
    let code = unsafe setsockopt(
      descriptor, group.level, MCAST_JOIN_GROUP, &request,
      socklen_t(MemoryLayout<group_req>.size))
    return code == 0 && hosts.allSatisfy { set(MCAST_BLOCK_SOURCE, $0) }
  }

  /// Receives a datagram. The corresponding C function is `recvmsg`.
  ///
  /// - Returns: nil if there is none.
  func receive(into bytes: inout [UInt8]) -> Arrival? {
    var datagram = rawaudio_datagram()
    let count = unsafe bytes.withUnsafeMutableBytes { room in
      unsafe rawaudio_receive(descriptor, room.baseAddress, room.count, &datagram)
    }
    if count < 0 { return nil }
    let time = WallTime.nanoseconds(datagram.arrival)
    return Arrival(
      count: count, sender: SocketAddress(datagram.sender), time: time == 0 ? nil : time,
      dropped: datagram.dropped == 0 ? nil : datagram.dropped)
  }

  /// Sends a datagram.
  ///
  /// - Returns: false if the system does not take it, with the reason in `errno`.
  func send(_ bytes: [UInt8], to address: SocketAddress) -> Bool {
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

/// The hosts whose packets a socket takes.
struct SenderFilter: Sendable, Hashable {
  static let any = SenderFilter(isExclusive: true, hosts: [])

  /// Whether all hosts but these may send.
  var isExclusive = false
  var hosts: [SocketAddress]

  func allows(_ sender: SocketAddress) -> Bool {
    hosts.contains { $0.isHost(of: sender) } != isExclusive
  }
}

extension DatagramSocket {
  /// The most pairs of ports that are tried.
  private static let mostPairs = 64

  /// Binds two sockets to an even port and the next one, for RTP and RTCP. RFC 3550, section 11.
  ///
  /// - Parameter address: of this machine; its port is not used.
  static func pair(
    at address: SocketAddress, name: String
  ) throws(AudioError) -> (media: DatagramSocket, control: DatagramSocket) {
    var address = address
    // Held meanwhile, so that the system chooses other ports.
    var others: [DatagramSocket] = []
    for _ in 0..<mostPairs {
      address.port = 0
      let first = try DatagramSocket(at: address, name: name)
      let port = first.port
      others.append(first)
      address.port = port ^ 1
      guard port > 1, let second = try? DatagramSocket(at: address, name: name) else { continue }
      return port % 2 == 0 ? (first, second) : (second, first)
    }
    throw AudioError(
      .unavailable, cannot: "receive", name, because: "no two neighbouring ports are free")
  }
}
