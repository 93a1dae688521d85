// SPDX-License-Identifier: Apache-2.0
/// A dialogue with a server of RTSP 1.0, of which it asks one stream of sound. Source: RFC 2326. One thread at a time.
final class RTSPClient {
  private static let mostRedirects = 3
  /// A first request without a password, one with it, and one after a challenge that has become too old.
  private static let mostAttempts = 3
  /// A packet has up to 64 KiB: at most 1 MiB is held.
  private static let mostEarlyPackets = 16
  /// The most reads at a turn, of 64 KiB each, so that a flood does not keep the thread.
  private static let mostReads = 16

  /// The stream that the server describes.
  struct Description {
    let sound: DescribedSound
    /// The URLs for the stream, and for the whole.
    let control: String
    let aggregate: String
  }

  /// A request whose answer comes among the packets.
  private struct KeepAlive {
    let url: String
    let number: Int
    let attempt: Int
  }

  private let address: ServerAddress
  private let stream: Int?
  private let limit: Duration
  /// Whether the wait for an answer is to end.
  private let mustEnd: () -> Bool
  private var authorization: Authorization?
  private var number = 0
  private var connection: Connection?
  private var session: String?
  private var keepAlive: KeepAlive?
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
    init(_ socket: StreamSocket) { self.socket = socket }
  }

  /// - Parameters:
  ///   - stream: the number of the stream of sound, from 1. Nil for the first one that can be received.
  ///   - limit: the longest wait for an answer.
  init(
    _ address: ServerAddress, stream: Int? = nil, limit: Duration,
    mustEnd: @escaping () -> Bool
  ) {
    self.address = address
    self.stream = stream
    self.limit = limit
    self.mustEnd = mustEnd
  }

  private var name: String { address.shown }

  var descriptor: Int32? { connection?.socket.descriptor }
  var peer: SocketAddress? { connection?.socket.peer }
  var local: SocketAddress? { connection?.socket.local }

  func connect() throws(AudioError) {
    close()
    let addresses = try self.addresses(of: address.place.host)
    connection = Connection(
      try StreamSocket(
        to: addresses, until: MonotonicTime.now.later(by: limit), name: name, mustEnd: mustEnd))
  }

  /// The addresses of a host, with the server's port.
  func addresses(of host: String) throws(AudioError) -> [SocketAddress] {
    try HostLookup(atMost: limit, mustEnd: mustEnd).addresses(of: host, port: address.port)
  }

  /// Ends the connection. The server ends the session by itself.
  func close() {
    connection = nil
    session = nil
    keepAlive = nil
    early = []
  }

  /// Asks for the description of the stream. OPTIONS, DESCRIBE.
  func describe() throws(AudioError) -> Description {
    let options = try ask("OPTIONS", name)
    let listed = options.all("public").joined(separator: ",")
    methods = Set(listed.split(separator: ",").map { $0.trimmed.uppercased() })
    var url = name
    var answer = try ask("DESCRIBE", url, [("Accept", "application/sdp")], redirects: true)
    for _ in 0..<Self.mostRedirects where (300...399).contains(answer.status) {
      url = try redirected(answer)
      answer = try ask("DESCRIBE", url, [("Accept", "application/sdp")], redirects: true)
    }
    guard answer.status == 200 else {
      throw refusal("DESCRIBE", answer, isAuthorized: false)
    }
    let description: SessionDescription
    do throws(AudioError) {
      description = try SessionDescription(answer.body)
    } catch {
      throw AudioError(
        error.kind, cannot: "read the session description of", name, because: error.reason)
    }
    let sound = try description.sound(named: name, number: stream, isAsked: true)
    let base = answer["content-base"] ?? answer["content-location"] ?? url
    return Description(
      sound: sound, control: Self.resolve(sound.legs.first?.control, base),
      aggregate: Self.resolve(description.control, base))
  }

  /// A redirect leads only to another path of this host: the password is for this one.
  private func redirected(_ answer: RTSPResponse) throws(AudioError) -> String {
    guard let location = answer["location"], location.lowercased().hasPrefix("rtsp:"),
      let target = try? ServerAddress(location),
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
    let stated = HeaderParameters(answer["session"] ?? "")
    session = stated.kind.isEmpty ? nil : stated.kind
    if let seconds = stated["timeout"].flatMap({ Int($0) }), (2...86_400).contains(seconds) {
      sessionTimeout = .seconds(seconds)
    }
    return HeaderParameters(answer["transport"] ?? transport)
  }

  func play(_ description: Description) throws(AudioError) {
    _ = try ask("PLAY", description.aggregate, [("Range", "npt=0.000-")])
  }

  /// Keeps the session; the answer comes among the packets.
  func keepAlive(_ description: Description) throws(AudioError) {
    try sendKeepAlive(description.aggregate, attempt: 1)
  }

  private func sendKeepAlive(_ url: String, attempt: Int) throws(AudioError) {
    let number = try send(methods.contains("GET_PARAMETER") ? "GET_PARAMETER" : "OPTIONS", url, [])
    keepAlive = KeepAlive(url: url, number: number, attempt: attempt)
  }

  /// - Throws: `deviceLost` if the server knows the session no longer.
  private func takeAnswer(_ answer: RTSPResponse) throws(AudioError) {
    guard let asked = keepAlive, answer.isFor(asked.number) else { return }
    keepAlive = nil
    switch answer.status {
    case 401:
      // The packets may go on. If they do not, their absence is told.
      guard asked.attempt < Self.mostAttempts, authorize(answer) else { return }
      try sendKeepAlive(asked.url, attempt: asked.attempt + 1)
    case 405, 501:
      guard methods.remove("GET_PARAMETER") != nil else { return }
      try sendKeepAlive(asked.url, attempt: asked.attempt)
    case 454:
      throw AudioError(
        .deviceLost, cannot: "receive", name, because: "the server has ended the session")
    default: return
    }
  }

  /// Takes a server's challenge.
  ///
  /// - Returns: false if nothing can be answered to it.
  private func authorize(_ answer: RTSPResponse) -> Bool {
    guard let credentials = address.credentials,
      let new = Authorization(answer.challenges, credentials)
    else { return false }
    authorization = new
    return true
  }

  func tearDown(_ description: Description) {
    if session != nil { _ = try? send("TEARDOWN", description.aggregate, []) }
  }

  var hasEarlyPackets: Bool { !early.isEmpty }

  /// Takes the packets that have come, and the answers among them; the rest can be read at once.
  func receivePackets(_ take: (UInt8, [UInt8]) -> Void) throws(AudioError) {
    for packet in early { take(packet.channel, packet.bytes) }
    early = []
    guard let connection else { return }
    for _ in 0..<Self.mostReads {
      let count = try connection.socket.receive(into: &room, name: name)
      if count > 0 { unsafe connection.reader.append(room.span.bytes.extracting(0..<count)) }
      while let item = try next(connection) {
        switch item {
        case .packet(let channel, let bytes): take(channel, bytes)
        case .response(let answer): try takeAnswer(answer)
        case .request: break
        }
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
      let isAuthorized = authorization != nil
      _ = try send(method, url, headers)
      let answer = try answer()
      if answer.status == 200 || redirects && (300...399).contains(answer.status) { return answer }
      let mayRepeat = attempt == 1 || answer.challenges.contains { $0.isStale }
      guard answer.status == 401, mayRepeat, attempt < Self.mostAttempts, authorize(answer) else {
        throw refusal(method, answer, isAuthorized: isAuthorized)
      }
    }
  }

  /// - Returns: the number of the request.
  private func send(
    _ method: String, _ url: String, _ headers: [(String, String)]
  ) throws(AudioError) -> Int {
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
    return number
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
}

extension RTSPClient {
  /// - Parameter isAuthorized: whether the request carried the password.
  private func refusal(
    _ method: String, _ answer: RTSPResponse, isAuthorized: Bool
  ) -> AudioError {
    if answer.status == 401 { return refusedPassword(answer.challenges, isAuthorized) }
    let text = answer.reason.isEmpty ? "" : " \(answer.reason.prefix(80))"
    let advice =
      answer.status == 461 ? "the server sends in another way: try --transport udp, or tcp" : nil
    return AudioError(
      answer.status == 404 ? .notFound : .unavailable, cannot: "receive", name,
      because: "the server answers \(method) with \(answer.status)\(text)", advice: advice)
  }

  private func refusedPassword(
    _ challenges: [AuthenticationChallenge], _ isAuthorized: Bool
  ) -> AudioError {
    let reason: String
    var advice: String?
    if address.credentials == nil {
      reason = "the server asks for a password"
      advice = "give it as in rtsp://USER:PASSWORD@HOST/PATH, or in a file by --credentials"
    } else if isAuthorized, challenges.contains(where: \.isStale) {
      reason = "the server asks for the password again and again"
    } else if isAuthorized {
      reason = "the server refuses the user name or the password"
    } else {
      let names = challenges.prefix(4).map(\.name).joined(separator: ", ")
      reason =
        "the server asks for a password in an unknown way" + (names.isEmpty ? "" : ": \(names)")
      advice = "known are Basic, and Digest with MD5 or SHA-256"
    }
    return AudioError(.unavailable, cannot: "receive", name, because: reason, advice: advice)
  }
}

extension RTSPResponse {
  fileprivate var challenges: [AuthenticationChallenge] {
    AuthenticationChallenge.all(in: all("www-authenticate"))
  }

  /// Whether it answers the request of this number. Some servers state none.
  fileprivate func isFor(_ number: Int) -> Bool {
    self["cseq"].flatMap { Int($0) }.map { $0 == number } ?? true
  }
}
