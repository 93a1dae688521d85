// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

/// The dialogue with a server on the loopback.
@Suite struct DialogueTests {
  private func transport(
    _ server: ScriptedServer, user: String = "", stream: Int? = nil, overDatagrams: Bool = false
  ) throws -> RTSPTransport {
    let client = RTSPClient(
      try server.address(user), stream: stream, limit: .seconds(60)
    ) { false }
    return try RTSPTransport(client, overDatagrams: overDatagrams, name: "rtsp:test")
  }

  /// Receives until the server has had so many requests and their answers have come.
  private func receive(_ transport: RTSPTransport, until count: Int, _ server: ScriptedServer)
    throws
  {
    while server.requests.count < count { try receiveOnce(transport) }
  }

  private func receiveOnce(_ transport: RTSPTransport) throws {
    var wait = DescriptorWait(transport.descriptors, event: try WakeEvent())
    wait.wait(until: MonotonicTime.now.later(by: .milliseconds(10)))
    try transport.receive({ wait.isReady($0) }) { _, _ in }
  }

  private static let later = MonotonicTime.now.later(by: .seconds(100_000))

  /// RFC 2326, section 12.37, as some cameras write it.
  @Test(arguments: [
    ("42;timeout=30", 30), ("42 ; Timeout = 30 ", 30), ("42;TIMEOUT=30;x", 30), ("42", 60),
    ("42;timeout=0", 60), ("42;timeout=x", 60),
  ])
  func sessions(header: String, seconds: Int) throws {
    let server = try ScriptedServer { request in
      guard request.method == "SETUP" else { return nil }
      return "RTSP/1.0 200 OK\r\nSession: \(header)\r\n\r\n"
    }
    defer { server.end() }
    let transport = try transport(server)
    let begin = MonotonicTime.now
    try transport.start()
    let deadline = try #require(transport.deadline)
    #expect(deadline >= begin.later(by: .seconds(seconds) / 2))
    #expect(deadline <= MonotonicTime.now.later(by: .seconds(seconds) / 2))
    #expect(server.requests.last?.headers["session"] == "42")
    transport.close()
  }

  @Test func anotherStream() throws {
    let server = try ScriptedServer()
    defer { server.end() }
    let transport = try transport(server, stream: 2)
    try transport.start()
    #expect(transport.payload.name == "PCMA/8000" && transport.formats.order == [8])
    let setUp = try #require(server.requests.first { $0.method == "SETUP" })
    #expect(setUp.url.hasSuffix("/cam/second"))
    transport.close()
    let error = try #require(throws: AudioError.self) { try self.transport(server, stream: 3) }
    #expect(error.reason == "it has 2 streams of sound, and --stream asks for number 3")
  }

  /// A challenge that is replaced while packets come is answered at once.
  @Test func aNewChallengeBetweenPackets() throws {
    let server = try ScriptedServer { request in
      let isOld = request.method == "GET_PARAMETER"
      let nonce = isOld ? "new" : "old"
      guard request.headers["authorization"]?.contains("nonce=\"\(nonce)\"") != true else {
        return nil
      }
      return
        "RTSP/1.0 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"\(nonce)\"\r\n\r\n"
    }
    defer { server.end() }
    let transport = try transport(server, user: "u:p@")
    try transport.start()
    let before = server.requests.count
    try transport.keep(at: Self.later)
    try receive(transport, until: before + 2, server)
    let asked = server.requests.dropFirst(before).map { $0.headers["authorization"] ?? "" }
    #expect(asked[0].contains("nonce=\"old\"") && asked[1].contains("nonce=\"new\""))
    #expect(server.methods.suffix(2) == ["GET_PARAMETER", "GET_PARAMETER"])
    transport.close()
  }

  /// A server that refuses to keep a session is asked three times, and the packets decide.
  @Test func aRefusalBetweenPackets() throws {
    let server = try ScriptedServer { request in
      guard request.method == "GET_PARAMETER" else { return nil }
      return "RTSP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\n\r\n"
    }
    defer { server.end() }
    let transport = try transport(server, user: "u:p@")
    try transport.start()
    let before = server.requests.count
    try transport.keep(at: Self.later)
    try receive(transport, until: before + 3, server)
    // The refusals are over: the session is kept with a request of its own.
    try transport.keep(at: Self.later.later(by: .seconds(100_000)))
    try receive(transport, until: before + 4, server)
    transport.close()
  }

  @Test func aSessionThatHasEnded() throws {
    let server = try ScriptedServer { request in
      request.method == "GET_PARAMETER" ? "RTSP/1.0 454 Session Not Found\r\n\r\n" : nil
    }
    defer { server.end() }
    let transport = try transport(server)
    try transport.start()
    try transport.keep(at: Self.later)
    let error = try #require(throws: AudioError.self) {
      while true { try receiveOnce(transport) }
    }
    #expect(error.kind == .deviceLost && error.reason == "the server has ended the session")
    #expect(try transport.reconnect(to: transport.payload))
    #expect(server.methods.suffix(2) == ["SETUP", "PLAY"])
    transport.close()
  }

  /// A server may list a request that it does not know.
  @Test func anotherWayToKeep() throws {
    let server = try ScriptedServer { request in
      request.method == "GET_PARAMETER" ? "RTSP/1.0 405 Method Not Allowed\r\n\r\n" : nil
    }
    defer { server.end() }
    let transport = try transport(server)
    try transport.start()
    let before = server.requests.count
    for count in [2, 3] {
      try transport.keep(at: Self.later)
      try receive(transport, until: before + count, server)
    }
    #expect(server.methods.suffix(3) == ["GET_PARAMETER", "OPTIONS", "OPTIONS"])
    transport.close()
  }

  /// The server's words for a password, the user's, the number of requests, and the reason.
  @Test(arguments: [
    (#"Basic realm="r""#, "", 1, "the server asks for a password"),
    (#"Basic realm="r""#, "u:p@", 2, "the server refuses the user name or the password"),
    (#"Digest nonce="x""#, "u:p@", 2, "the server refuses the user name or the password"),
    (
      #"Digest nonce="x", stale=true"#, "u:p@", 3,
      "the server asks for the password again and again"
    ),
    (
      #"Digest nonce="x", algorithm=SHA-512-256, Bearer"#, "u:p@", 1,
      "the server asks for a password in an unknown way: Digest with SHA-512-256, Bearer"
    ),
  ])
  func passwords(challenge: String, user: String, count: Int, reason: String) throws {
    let server = try ScriptedServer { _ in
      "RTSP/1.0 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\n\r\n"
    }
    defer { server.end() }
    let error = try #require(throws: AudioError.self) { try transport(server, user: user) }
    #expect(error.reason == reason && server.requests.count == count)
  }

  /// The pair that is announced is bound, and the host that the server names may send.
  @Test func datagrams() throws {
    let server = try ScriptedServer { request in
      guard request.method == "SETUP", let asked = request.headers["transport"] else { return nil }
      return
        "RTSP/1.0 200 OK\r\nSession: 42\r\nTransport: \(asked);source=127.0.0.2;server_port=6970-6971\r\n\r\n"
    }
    defer { server.end() }
    let transport = try transport(server, overDatagrams: true)
    try transport.start()
    let asked = try #require(server.requests.first { $0.method == "SETUP" }?.headers["transport"])
    let ports = HeaderParameters(asked)["client_port"]?.split(separator: "-").compactMap {
      UInt16($0)
    }
    let port = try #require(ports?.first)
    #expect(ports == [port, port + 1] && port % 2 == 0)
    for host: UInt8 in 1...3 {
      let sender = try DatagramSocket(at: Loopback.address("127.0.0.\(host)"), name: "sender")
      #expect(sender.send([host], to: try Loopback.address(port: port)))
      #expect(sender.send([host + 10], to: try Loopback.address(port: port + 1)))
    }
    var found: [[UInt8]] = []
    for _ in 0..<4 {
      try transport.receive({ _ in true }) { bytes, packet in
        found.append([UInt8](bytes) + [packet.isControl ? 1 : 0])
        #expect(packet.arrival != nil)
      }
    }
    #expect(Set(found) == [[1, 0], [11, 1], [2, 0], [12, 1]])
    transport.close()
  }

  /// A turn takes a bounded count of bytes, so that the thread sees the request to stop.
  @Test func aFlood() throws {
    let server = try ScriptedServer(floods: true)
    defer { server.end() }
    let transport = try transport(server)
    try transport.start()
    for _ in 0..<20 {
      var bytes = 0
      try transport.receive({ _ in true }) { packet, _ in bytes += packet.byteCount }
      #expect(bytes <= (16 + 1) * 65_536 + 16 * 0x2000)
    }
    transport.close()
  }
}
