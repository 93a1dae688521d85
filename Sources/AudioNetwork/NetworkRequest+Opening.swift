// SPDX-License-Identifier: Apache-2.0
/// A stream whose format is known, and the way that its packets come. Handed over to one thread at a time.
struct OpenedStream: @unchecked Sendable {
  let payload: PayloadFormat
  let transport: any PacketTransport
  /// The identifiers (SSRC) by which its packets come, which count as one stream. Empty if any may.
  var sources: Set<UInt32> = []

  /// The formats that packets may have.
  var formats: PayloadNumbers { transport.formats }
}

extension NetworkRequest {
  /// Finds the format, and opens the way of the packets. It may wait for a name server, and for the server.
  ///
  /// - Parameter mustEnd: whether such a wait is to end.
  /// - Throws: `notFound` for a missing file, host or interface; `malformed` for a faulty description; `unsupported` for
  ///   an encoding; `invalidParameter` without a format; `unavailable` if the address or the server cannot be used.
  func open(
    _ options: NetworkOptions, name: String, mustEnd: @escaping () -> Bool
  ) throws(AudioError) -> OpenedStream {
    let limit = min(options.timeout, .seconds(10))
    let lookup = HostLookup(atMost: limit, mustEnd: mustEnd)
    switch self {
    case .description(let path):
      let sound = try SessionDescription(file: path).sound(named: path, number: options.stream)
      let places = try sound.legs.map { media throws(AudioError) in
        try media.place(at: options.interface, named: name, lookup)
      }
      let transport = try DatagramTransport(at: places, formats: sound.numbers, name: name)
      return OpenedStream(payload: sound.payload, transport: transport, sources: sound.sources)
    case .address(let host, let port, let stated, let source):
      guard let payload = stated ?? options.payload else {
        throw AudioError(
          .invalidParameter, cannot: "receive", name,
          because: "the format of its packets is not known",
          advice:
            "state it, as in rtp://HOST:PORT?l24/48000/2, or give a session description, as in rtp:FILE.sdp"
        )
      }
      let place = try DatagramTransport.Place(
        host, port, at: options.interface, named: name, lookup)
      let transport = try DatagramTransport(
        at: [place], formats: PayloadNumbers(payload), name: name)
      return OpenedStream(
        payload: payload, transport: transport, sources: source.map { [$0] } ?? [])
    case .server(var address):
      address.credentials = address.credentials ?? options.credentials
      let client = RTSPClient(address, stream: options.stream, limit: limit, mustEnd: mustEnd)
      let transport = try RTSPTransport(
        client, overDatagrams: options.transport == .datagrams, name: name)
      return OpenedStream(payload: transport.payload, transport: transport)
    }
  }
}

extension MediaDescription {
  fileprivate func place(
    at interface: String?, named name: String, _ lookup: HostLookup
  ) throws(AudioError) -> DatagramTransport.Place {
    guard let host = connection?.host else {
      throw AudioError(
        .malformed, cannot: "receive", name, because: "the description states no address",
        advice: "name it, as in rtp://HOST:PORT")
    }
    var place = try DatagramTransport.Place(host, port, at: interface, named: name, lookup)
    if let filter {
      place.filter = SenderFilter(isExclusive: filter.isExclusive, hosts: [])
      for sender in filter.senders {
        place.filter.hosts += try lookup.addresses(of: sender, port: 0)
      }
    }
    return place
  }
}

extension DatagramTransport.Place {
  /// - Parameters:
  ///   - host: `239.69.0.1`, `239.69.0.1%eth1` with an interface; its first address is used.
  ///   - interface: if `host` has none. Nil = the system chooses.
  ///   - name: of the stream, in errors.
  fileprivate init(
    _ host: String, _ port: UInt16, at interface: String?, named name: String,
    _ lookup: HostLookup
  ) throws(AudioError) {
    let parts = host.split(separator: "%", maxSplits: 1).map(String.init)
    let number = try NetworkInterface.number(
      of: parts.count > 1 ? parts[1] : interface, for: name)
    guard var address = try lookup.addresses(of: parts.first ?? "", port: port).first else {
      throw AudioError(.notFound, cannot: "receive", name, because: "it has no address")
    }
    if address.isVersion6, number != 0 { address.scope = number }
    self.init(address: address, interface: number)
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
}
