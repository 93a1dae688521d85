// SPDX-License-Identifier: Apache-2.0
/// Packets of UDP at a port, and those of RTCP at the next one, from a sender that needs no asking. A stream may come in
/// several legs, which carry equal packets (RFC 7104).
final class DatagramTransport: PacketTransport {
  /// An address to receive at.
  struct Place: Hashable {
    var address: SocketAddress
    var filter = SenderFilter.any
    /// The number of the interface to join a group at; 0 = the system chooses.
    var interface: UInt32 = 0
  }

  private struct Leg {
    let media: DatagramSocket
    /// Nil if its port is in use: reports are not needed.
    let control: DatagramSocket?
    var filter: SenderFilter
    /// Datagrams that the first socket has dropped.
    var dropped: UInt32 = 0
  }

  /// The most datagrams that are dropped at the start, so that a flood does not keep the session.
  private static let mostDatagrams = 512

  let formats: PayloadNumbers
  private var legs: [Leg] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var clock = ArrivalClock()

  /// - Parameters:
  ///   - places: the addresses of all legs.
  ///   - name: of the stream, in errors.
  init(at places: [Place], formats: PayloadNumbers, name: String) throws(AudioError) {
    self.formats = formats
    for place in Self.joined(places) {
      let media = try DatagramSocket(
        at: place.address, from: place.filter, interface: place.interface, name: name)
      var next = place.address
      next.port = media.port &+ 1
      let control =
        next.port == 0
        ? nil
        : try? DatagramSocket(
          at: next, from: place.filter, interface: place.interface, name: name)
      legs.append(Leg(media: media, control: control, filter: place.filter))
    }
  }

  /// Binds an even port and the next one of this machine, to announce them to a server.
  ///
  /// - Parameters:
  ///   - address: of this machine; its port is not used.
  ///   - server: the host that may send.
  init(
    pairAt address: SocketAddress, from server: SocketAddress, formats: PayloadNumbers,
    name: String
  ) throws(AudioError) {
    self.formats = formats
    let pair = try DatagramSocket.pair(at: address, name: name)
    legs = [
      Leg(media: pair.media, control: pair.control, filter: SenderFilter(hosts: [server]))
    ]
  }

  /// Legs at one address have one socket: a second one could not be bound, or would get every packet again.
  private static func joined(_ places: [Place]) -> [Place] {
    var joined: [Place] = []
    for place in places {
      let index = joined.firstIndex {
        $0.address == place.address && $0.interface == place.interface
          && $0.filter.isExclusive == place.filter.isExclusive
      }
      guard let index else {
        joined.append(place)
        continue
      }
      let new = place.filter.hosts
      if place.filter.isExclusive {
        joined[index].filter.hosts.removeAll { !new.contains($0) }
      } else {
        joined[index].filter.hosts += new.filter { !joined[index].filter.hosts.contains($0) }
      }
    }
    return joined
  }

  /// The port that receives.
  var port: UInt16 { legs.first?.media.port ?? 0 }

  var descriptors: [Int32] {
    legs.flatMap { [$0.media.descriptor] + ($0.control.map { [$0.descriptor] } ?? []) }
  }

  var deadline: MonotonicTime? { nil }

  /// Lets a further host send.
  func allow(_ host: SocketAddress) {
    for index in legs.indices { legs[index].filter.hosts.append(host) }
  }

  /// Drops the packets that came before.
  func start() {
    for leg in legs {
      for _ in 0..<Self.mostDatagrams where leg.media.receive(into: &buffer) == nil { break }
    }
  }

  /// One datagram of each socket: the next wait ends at once if there are more.
  func receive(_ isReady: (Int32) -> Bool, _ take: (RawSpan, ReceivedPacket) -> Void) {
    // A span into a property of a class would end its access too late.
    var room: [UInt8] = []
    swap(&room, &buffer)
    defer { swap(&room, &buffer) }
    clock.beginTurn(at: .now, timeOfDay: WallTime.now)
    for index in legs.indices {
      if isReady(legs[index].media.descriptor), let arrival = legs[index].media.receive(into: &room)
      {
        legs[index].dropped = arrival.dropped ?? legs[index].dropped
        give(arrival, of: legs[index], isControl: false, room, take)
      }
      if let control = legs[index].control, isReady(control.descriptor),
        let arrival = control.receive(into: &room)
      {
        give(arrival, of: legs[index], isControl: true, room, take)
      }
    }
  }

  private func give(
    _ arrival: DatagramSocket.Arrival, of leg: Leg, isControl: Bool, _ bytes: [UInt8],
    _ take: (RawSpan, ReceivedPacket) -> Void
  ) {
    if let sender = arrival.sender, !leg.filter.allows(sender) { return }
    let packet = ReceivedPacket(
      isControl: isControl, sender: legs.count == 1 ? arrival.sender : nil,
      arrival: arrival.time.flatMap { clock.instant(of: $0) },
      dropped: legs.reduce(0) { $0 &+ $1.dropped })
    unsafe take(bytes.span.bytes.extracting(0..<arrival.count), packet)
  }

  func keep(at now: MonotonicTime) {}

  /// The sockets stay open: they are all that a sender needs.
  func reconnect(to payload: PayloadFormat) -> Bool { false }

  func close() {}
}
