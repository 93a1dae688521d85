// SPDX-License-Identifier: Apache-2.0
/// A stream whose format is known, and the way that its packets come.
struct OpenedStream {
  let payload: PayloadFormat
  let transport: any PacketTransport
}

extension NetworkRequest {
  /// Finds the format, and opens the way of the packets.
  ///
  /// - Parameter mustEnd: whether the wait for a server is to end.
  /// - Throws: `notFound` for a missing file or host; `malformed` for a faulty description; `unsupported` for an encoding;
  ///   `invalidParameter` without a format; `unavailable` if the address or the server cannot be used.
  func open(
    _ options: NetworkOptions, name: String, mustEnd: @escaping () -> Bool
  ) throws(AudioError) -> OpenedStream {
    switch self {
    case .description(let path):
      let description = try SessionDescription(file: path)
      let (media, payload) = try description.sound(named: path)
      guard let host = media.connection?.host, media.port > 0 else {
        throw AudioError(
          .malformed, cannot: "receive", name, because: "the description states no address and port"
        )
      }
      return try Self.listen(
        host, media.port, from: media.sender, media.numbers, payload.format, name)
    case .address(let host, let port, let stated):
      guard let payload = stated ?? options.payload else {
        throw AudioError(
          .invalidParameter, cannot: "receive", name,
          because: "the format of its packets is not known",
          advice:
            "state it, as in rtp://HOST:PORT?l24/48000/2, or give a session description, as in rtp:FILE.sdp"
        )
      }
      return try Self.listen(host, port, from: nil, PayloadNumbers(payload), payload, name)
    case .server(var address):
      address.credentials = address.credentials ?? options.credentials
      let client = RTSPClient(address, limit: min(options.timeout, .seconds(10)), mustEnd: mustEnd)
      let transport = try RTSPTransport(
        client, overDatagrams: options.transport == .datagrams, name: name)
      return OpenedStream(payload: transport.payload, transport: transport)
    }
  }

  private static func listen(
    _ host: String, _ port: UInt16, from sender: String?, _ numbers: PayloadNumbers,
    _ payload: PayloadFormat,
    _ name: String
  ) throws(AudioError) -> OpenedStream {
    let senders = try sender.map { text throws(AudioError) in
      try SocketAddress.all(of: text, port: 0)
    }
    let transport = try DatagramTransport(
      at: SocketAddress.all(of: host, port: port), from: senders ?? [], numbers,
      name: name)
    return OpenedStream(payload: payload, transport: transport)
  }
}

extension SessionDescription {
  /// Reads a file.
  init(file path: String) throws(AudioError) {
    let file = try FileDescriptor(reading: path)
    let (text, _) = try file.preview(Self.longestText + 1) { _ in false }
    do throws(AudioError) {
      try self.init(text)
    } catch {
      throw AudioError(error.kind, cannot: error.action, path, because: error.reason)
    }
  }

  /// The first stream of sound in a supported format.
  ///
  /// - Parameter name: of the description, in errors.
  func sound(
    named name: String
  ) throws(AudioError) -> (MediaDescription, payload: (type: UInt8, format: PayloadFormat)) {
    let sounds = media.filter { $0.kind == "audio" }
    for media in sounds {
      if let payload = media.payload { return (media, payload) }
    }
    guard !sounds.isEmpty else {
      throw AudioError(
        .unsupported, cannot: "receive", name,
        because: "it has no stream of sound, only "
          + Set(media.map(\.kind)).sorted().joined(separator: " and "))
    }
    if let refusal = sounds.lazy.compactMap(\.refusal).first {
      throw AudioError(
        refusal.kind, cannot: "receive", name, because: refusal.reason, advice: refusal.advice)
    }
    let names = sounds.flatMap(\.formatNames).joined(separator: ", ")
    let known = PayloadFormat.Encoding.allCases.map { $0.rawValue.uppercased() }
    throw AudioError(
      .unsupported, cannot: "receive", name, because: "its sound is sent as \(names)",
      advice: "accepted are \(known.joined(separator: ", "))")
  }
}
