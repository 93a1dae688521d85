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

  var payload: PayloadFormat { description.payload }
  var numbers: PayloadNumbers { description.media.numbers }

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
    guard var local = client.local, let peer = client.peer else {
      throw AudioError(.unavailable, cannot: "receive", name, because: "it is not connected")
    }
    local.port = 0
    let datagrams = try DatagramTransport(
      at: [local], from: [peer], numbers, name: name)
    let port = datagrams.port
    _ = try client.setUp(
      description, "RTP/AVP;unicast;client_port=\(port)-\(port &+ 1)")
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
      let packet = ReceivedPacket(isControl: channel == channels.control, sender: nil)
      unsafe take(bytes.span.bytes, packet)
    }
  }

  func keep(at now: MonotonicTime) throws(AudioError) {
    guard let deadline, now >= deadline else { return }
    keepLater()
    try client.keepAlive(description)
  }

  func reconnect(to payload: PayloadFormat) throws(AudioError) -> Bool {
    try client.connect()
    let new = try client.describe()
    guard new.payload == payload else {
      throw AudioError(
        .unsupported, cannot: "receive", name,
        because: "the stream is \(new.payload.name) now, and was \(payload.name)")
    }
    description = new
    try start()
    return true
  }

  func close() {
    if isPlaying { client.tearDown(description) }
    isPlaying = false
    deadline = nil
    datagrams = nil
    client.close()
  }
}
