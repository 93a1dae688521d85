// SPDX-License-Identifier: Apache-2.0
/// Packets that a server of RTSP sends, between its messages by TCP or to ports of this machine by UDP.
final class RTSPTransport: PacketTransport {
  private let client: RTSPClient
  private let name: String
  private let isDatagrams: Bool
  private var description: RTSPClient.Description
  private var datagrams: DatagramTransport?
  /// The channels of RTP and of RTCP.
  private var channels: (media: UInt8, control: UInt8) = (0, 1)
  private(set) var deadline: MonotonicTime?
  private var isPlaying = false

  /// Connects, and asks for the description.
  init(_ client: RTSPClient, overDatagrams isDatagrams: Bool, name: String) throws(AudioError) {
    self.client = client
    self.isDatagrams = isDatagrams
    self.name = name
    try client.connect()
    description = try client.describe()
  }

  deinit { close() }

  var payload: PayloadFormat { description.sound.payload }
  var formats: PayloadNumbers { description.sound.numbers }

  var descriptors: [Int32] {
    (client.descriptor.map { [$0] } ?? []) + (datagrams?.descriptors ?? [])
  }

  /// Asks the server to send. SETUP, PLAY.
  func start() throws(AudioError) {
    if isPlaying { return }
    if isDatagrams { try setUpDatagrams() } else { try setUpInterleaved() }
    try client.play(description)
    isPlaying = true
    keepLater()
  }

  private func setUpInterleaved() throws(AudioError) {
    let answer = try client.setUp(description, "RTP/AVP/TCP;unicast;interleaved=0-1")
    let numbers = (answer["interleaved"] ?? "0-1").split(separator: "-").compactMap { UInt8($0) }
    channels = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : (numbers.first ?? 0) &+ 1)
  }

  private func setUpDatagrams() throws(AudioError) {
    guard let local = client.local, let peer = client.peer else {
      throw AudioError(.unavailable, cannot: "receive", name, because: "it is not connected")
    }
    let datagrams = try DatagramTransport(
      pairAt: local, from: peer, formats: formats, name: name)
    let port = datagrams.port
    let answer = try client.setUp(
      description, "RTP/AVP;unicast;client_port=\(port)-\(port &+ 1)")
    // RFC 2326, section 12.39: another host may send. Some servers name one that does not.
    if let source = answer["source"], !source.isEmpty {
      for host in (try? client.addresses(of: source)) ?? [] { datagrams.allow(host) }
    }
    self.datagrams = datagrams
  }

  private func keepLater() {
    deadline = MonotonicTime.now.later(by: client.sessionTimeout / 2)
  }

  func receive(
    _ isReady: (Int32) -> Bool, _ take: (RawSpan, ReceivedPacket) -> Void
  ) throws(AudioError) {
    datagrams?.receive(isReady, take)
    guard client.hasEarlyPackets || client.descriptor.map(isReady) ?? false else { return }
    try client.receivePackets { channel, bytes in
      if isDatagrams || channel != channels.media && channel != channels.control { return }
      let packet = ReceivedPacket(isControl: channel == channels.control)
      unsafe take(bytes.span.bytes, packet)
    }
  }

  func keep(at now: MonotonicTime) throws(AudioError) {
    guard let deadline, now >= deadline else { return }
    keepLater()
    try client.keepAlive(description)
  }

  func reconnect(to payload: PayloadFormat) throws(AudioError) -> Bool {
    close()
    try client.connect()
    let new = try client.describe()
    guard new.sound.numbers.formats.values.contains(payload) else {
      throw AudioError(
        .unsupported, cannot: "receive", name,
        because: "the stream is \(new.sound.payload.name) now, and was \(payload.name)")
    }
    description = new
    try start()
    return true
  }

  func close() {
    client.tearDown(description)
    isPlaying = false
    deadline = nil
    datagrams = nil
    client.close()
  }
}
