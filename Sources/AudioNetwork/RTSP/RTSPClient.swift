// SPDX-License-Identifier: Apache-2.0
/// A dialogue with a server of RTSP 1.0, of which it asks one stream of sound. Source: RFC 2326. One thread at a time.
final class RTSPClient {
  private static let mostRedirects = 3
  /// A first request without a password, one with it, and one after a challenge that has become too old.
  private static let mostAttempts = 3
  /// A packet has up to 64 KiB: at most 1 MiB is held.
  private static let mostEarlyPackets = 16

  /// The stream that the server describes.
  struct Description {
    let media: MediaDescription
    let payload: PayloadFormat
    /// The URLs for the stream, and for the whole.
    let control: String
    let aggregate: String
  }

  private let address: ServerAddress
  private let limit: Duration
  /// Whether the wait for an answer is to end.
  private let mustEnd: () -> Bool
  private var authorization: Authorization?
  private var number = 0
  private var connection: Connection?
  private var session: String?
  /// The server's limit between two requests.
  private(set) var sessionTimeout = Duration.seconds(60)
  private var methods: Set<String> = []
  /// Packets that came before the answer to a request.
  private var early: [(channel: UInt8, bytes: [UInt8])] = []

  /// Where bytes are received.
  private var room = [UInt8](repeating: 0, count: 65_536)

  private final class Connection {
    let socket: StreamSocket
    var reader = RTSPReader()
    init(_ socket: consuming StreamSocket) { self.socket = socket }
  }

  /// - Parameter limit: the longest wait for an answer.
  init(_ address: ServerAddress, limit: Duration, mustEnd: @escaping () -> Bool) {
    self.address = address
    self.limit = limit
    self.mustEnd = mustEnd
  }

  private var name: String { address.shown }

  var descriptor: Int32? { connection?.socket.descriptor }
  var peer: SocketAddress? { connection?.socket.peer }
  var local: SocketAddress? { connection?.socket.local }

  func connect() throws(AudioError) {
    close()
    let addresses = try SocketAddress.all(of: address.place.host, port: address.port)
    connection = Connection(
      try StreamSocket(
        to: addresses, until: MonotonicTime.now.later(by: limit), name: name, mustEnd: mustEnd))
  }

  /// Ends the connection. The server ends the session by itself.
  func close() {
    connection = nil
    session = nil
    early = []
  }

  /// Asks for the description of the stream. OPTIONS, DESCRIBE.
  func describe() throws(AudioError) -> Description {
    let options = try ask("OPTIONS", name)
    methods = Set((options["public"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } })
    var url = name
    var answer = try ask("DESCRIBE", url, [("Accept", "application/sdp")], redirects: true)
    for _ in 0..<Self.mostRedirects where (300...399).contains(answer.status) {
      url = try redirected(answer)
      answer = try ask("DESCRIBE", url, [("Accept", "application/sdp")], redirects: true)
    }
    guard answer.status == 200 else { throw refusal("DESCRIBE", answer) }
    let description: SessionDescription
    do throws(AudioError) {
      description = try SessionDescription(answer.body)
    } catch {
      throw AudioError(
        error.kind, cannot: "read the session description of", name, because: error.reason)
    }
    let (media, payload) = try description.sound(named: name)
    let base = answer["content-base"] ?? answer["content-location"] ?? url
    return Description(
      media: media, payload: payload.format,
      control: Self.resolve(media.control, base),
      aggregate: Self.resolve(description.control, base))
  }

  /// A redirect leads only to another path of this host: the password is for this one.
  private func redirected(_ answer: RTSPResponse) throws(AudioError) -> String {
    guard let location = answer["location"], location.lowercased().hasPrefix("rtsp:"),
      let target = ServerAddress(String(location.dropFirst(5))),
      target.place.host == address.place.host, target.port == address.port
    else {
      throw AudioError(
        .unavailable, cannot: "receive", name, because: "the server refers to another host",
        advice: "name the other address yourself if you trust it")
    }
    return target.shown
  }

  /// The URL of a control attribute. RFC 2326, appendix C.1.1.
  static func resolve(_ control: String?, _ base: String) -> String {
    guard let control, control != "*", !control.isEmpty else { return base }
    if control.lowercased().hasPrefix("rtsp://") { return control }
    return base + (base.hasSuffix("/") ? "" : "/") + control
  }

  /// Reserves the stream. SETUP.
  ///
  /// - Parameter transport: the value of the header `Transport`.
  /// - Returns: the server's value.
  func setUp(
    _ description: Description, _ transport: String
  ) throws(AudioError) -> HeaderParameters {
    let answer = try ask("SETUP", description.control, [("Transport", transport)])
    let parts = (answer["session"] ?? "").split(separator: ";")
    session = parts.first.map(String.init)
    for part in parts.dropFirst() where part.hasPrefix("timeout=") {
      if let seconds = Int(part.dropFirst(8)), (2...86_400).contains(seconds) {
        sessionTimeout = .seconds(seconds)
      }
    }
    return HeaderParameters(answer["transport"] ?? transport, separator: ";")
  }

  func play(_ description: Description) throws(AudioError) {
    _ = try ask("PLAY", description.aggregate, [("Range", "npt=0.000-")])
  }

  /// Keeps the session; the answer comes among the packets.
  func keepAlive(_ description: Description) throws(AudioError) {
    let method = methods.contains("GET_PARAMETER") ? "GET_PARAMETER" : "OPTIONS"
    try send(method, description.aggregate, [])
  }

  func tearDown(_ description: Description) {
    if session != nil { try? send("TEARDOWN", description.aggregate, []) }
  }

  var hasEarlyPackets: Bool { !early.isEmpty }

  /// Takes the packets that have come.
  func receivePackets(_ take: (UInt8, [UInt8]) -> Void) throws(AudioError) {
    for packet in early { take(packet.channel, packet.bytes) }
    early = []
    guard let connection else { return }
    while true {
      let count = try connection.socket.receive(into: &room, name: name)
      if count > 0 { unsafe connection.reader.append(room.span.bytes.extracting(0..<count)) }
      while let item = try next(connection) {
        if case .packet(let channel, let bytes) = item { take(channel, bytes) }
      }
      if count < room.count { return }
    }
  }

  /// Sends a request and waits for its answer.
  private func ask(
    _ method: String, _ url: String, _ headers: [(String, String)] = [], redirects: Bool = false
  ) throws(AudioError) -> RTSPResponse {
    var attempt = 0
    while true {
      attempt += 1
      try send(method, url, headers)
      let answer = try answer()
      if answer.status == 200 || redirects && (300...399).contains(answer.status) { return answer }
      let challenges = answer.all("www-authenticate")
      let mayRepeat = attempt == 1 || Authorization.isStale(challenges)
      guard answer.status == 401, mayRepeat, attempt < Self.mostAttempts,
        let credentials = address.credentials,
        let authorization = Authorization(challenges, credentials)
      else { throw refusal(method, answer) }
      self.authorization = authorization
    }
  }

  private func send(
    _ method: String, _ url: String, _ headers: [(String, String)]
  ) throws(AudioError) {
    guard let connection else {
      throw AudioError(.deviceLost, cannot: "ask", name, because: "it is not connected")
    }
    number += 1
    var text = "\(method) \(url) RTSP/1.0\r\nCSeq: \(number)\r\nUser-Agent: rawaudio\r\n"
    if let session { text += "Session: \(session)\r\n" }
    if let value = authorization?.value(
      for: method, url, nonce: String(UInt64.random(in: 1...UInt64.max), radix: 16))
    {
      text += "Authorization: \(value)\r\n"
    }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    try connection.socket.send(
      Array((text + "\r\n").utf8), until: MonotonicTime.now.later(by: limit), name: name,
      mustEnd: mustEnd)
  }

  private func answer() throws(AudioError) -> RTSPResponse {
    guard let connection else {
      throw AudioError(.deviceLost, cannot: "ask", name, because: "it is not connected")
    }
    let end = MonotonicTime.now.later(by: limit)
    while true {
      while let item = try next(connection) {
        switch item {
        case .response(let response): return response
        case .packet(let channel, let bytes):
          if early.count == Self.mostEarlyPackets { early.removeFirst() }
          early.append((channel, bytes))
        case .request: break
        }
      }
      guard connection.socket.waitForBytes(until: end, mustEnd: mustEnd) else {
        throw AudioError(
          mustEnd() ? .interrupted : .unavailable, cannot: "receive", name,
          because: mustEnd() ? "the session was asked to end" : "the server does not answer")
      }
      let count = try connection.socket.receive(into: &room, name: name)
      unsafe connection.reader.append(room.span.bytes.extracting(0..<count))
    }
  }

  private func next(_ connection: Connection) throws(AudioError) -> RTSPReader.Item? {
    do throws(AudioError) {
      return try connection.reader.next()
    } catch {
      throw AudioError(error.kind, cannot: error.action, name, because: error.reason)
    }
  }

  private func refusal(_ method: String, _ answer: RTSPResponse) -> AudioError {
    if answer.status == 401 {
      guard address.credentials != nil else {
        return AudioError(
          .unavailable, cannot: "receive", name, because: "the server asks for a password",
          advice: "give it as in rtsp://USER:PASSWORD@HOST/PATH, or in a file by --credentials")
      }
      return AudioError(
        .unavailable, cannot: "receive", name,
        because: "the server refuses the user name or the password")
    }
    let text = answer.reason.isEmpty ? "" : " \(answer.reason.prefix(80))"
    let advice =
      answer.status == 461 ? "the server sends in another way: try --transport udp, or tcp" : nil
    return AudioError(
      answer.status == 404 ? .notFound : .unavailable, cannot: "receive", name,
      because: "the server answers \(method) with \(answer.status)\(text)", advice: advice)
  }
}
