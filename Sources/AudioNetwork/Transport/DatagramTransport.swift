// SPDX-License-Identifier: Apache-2.0
/// Packets of UDP at a port, and those of RTCP at the next one, from a sender that needs no asking.
final class DatagramTransport: PacketTransport {
  /// The most datagrams that are dropped at the start, so that a flood does not keep the session.
  private static let mostDatagrams = 512

  let numbers: PayloadNumbers
  private let media: DatagramSocket
  private let control: DatagramPort?
  /// The hosts that may send. Empty if any may.
  private let senders: [SocketAddress]
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// A socket that may be missing.
  private final class DatagramPort {
    let socket: DatagramSocket
    init(_ socket: consuming DatagramSocket) { self.socket = socket }
  }

  /// - Parameters:
  ///   - addresses: of the host to receive at; the first one is used.
  ///   - senders: the hosts that may send. Empty if any may.
  ///   - name: of the stream, in errors.
  init(
    at addresses: [SocketAddress], from senders: [SocketAddress], _ numbers: PayloadNumbers,
    name: String
  ) throws(AudioError) {
    guard let address = addresses.first else {
      throw AudioError(.notFound, cannot: "receive", name, because: "it has no address")
    }
    self.numbers = numbers
    self.senders = senders
    media = try DatagramSocket(at: address, from: senders.first, name: name)
    var next = address
    next.port = media.port &+ 1
    // Reports are not needed, and their port may be in use.
    control =
      next.port == 0
      ? nil : try? DatagramPort(DatagramSocket(at: next, from: senders.first, name: name))
  }

  /// The port that receives.
  var port: UInt16 { media.port }

  var descriptors: [Int32] { [media.descriptor] + (control.map { [$0.socket.descriptor] } ?? []) }

  var deadline: MonotonicTime? { nil }

  /// Drops the packets that came before.
  func start() {
    for _ in 0..<Self.mostDatagrams {
      guard media.receive(into: &buffer) != nil else { return }
    }
  }

  /// One datagram of each socket: the next wait ends at once if there are more.
  func receive(_ isReady: (Int32) -> Bool, _ take: (RawSpan, ReceivedPacket) -> Void) {
    // A span into a property of a class would end its access too late.
    var room: [UInt8] = []
    swap(&room, &buffer)
    defer { swap(&room, &buffer) }
    if isReady(media.descriptor), let (count, sender) = media.receive(into: &room),
      isAllowed(sender)
    {
      unsafe take(
        room.span.bytes.extracting(0..<count), ReceivedPacket(isControl: false, sender: sender))
    }
    if let control, isReady(control.socket.descriptor),
      let (count, sender) = control.socket.receive(into: &room), isAllowed(sender)
    {
      unsafe take(
        room.span.bytes.extracting(0..<count), ReceivedPacket(isControl: true, sender: sender))
    }
  }

  private func isAllowed(_ sender: SocketAddress?) -> Bool {
    guard let sender, !senders.isEmpty else { return true }
    return senders.contains { $0.isHost(of: sender) }
  }

  func keep(at now: MonotonicTime) {}

  /// The sockets stay open: they are all that a sender needs.
  func reconnect(to payload: PayloadFormat) -> Bool { false }

  func close() {}
}
