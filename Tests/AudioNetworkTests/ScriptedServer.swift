// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TestSupport
@testable import AudioNetwork

/// A server of RTSP on the loopback with answers by a test, one client at a time.
final class ScriptedServer: Sendable {
  struct Request: Sendable {
    var method = ""
    var url = ""
    /// By their names in lower case.
    var headers: [String: String] = [:]

    init(_ text: String) {
      let lines = text.split(separator: "\r\n")
      let words = lines.first?.split(separator: " ") ?? []
      if words.count == 3 { (method, url) = (String(words[0]), String(words[1])) }
      for line in lines.dropFirst() {
        let pair = line.split(separator: ": ", maxSplits: 1)
        if pair.count == 2 { headers[pair[0].lowercased()] = String(pair[1]) }
      }
    }
  }

  /// The answer of a test; nil for the usual answer. Without the header `CSeq`, which is added.
  typealias Script = @Sendable (Request) -> String?

  static let description = """
    v=0\r
    s=x\r
    c=IN IP4 0.0.0.0\r
    a=control:*\r
    m=audio 0 RTP/AVP 96\r
    a=rtpmap:96 L16/48000\r
    a=control:first\r
    m=audio 0 RTP/AVP 8\r
    a=control:second\r

    """

  private let listener: Descriptor
  private let place: SocketAddress
  private let script: Script
  private let floods: Bool
  private let state = Mutex<(requests: [Request], client: Int32)>(([], -1))

  /// - Parameter floods: whether packets follow PLAY without an end.
  init(floods: Bool = false, _ script: @escaping Script = { _ in nil }) throws {
    (listener, place) = try Loopback.listener()
    self.script = script
    self.floods = floods
    OtherThread.run { [self] in serve() }
  }

  func end() {
    shutdown(listener.number, Int32(SHUT_RDWR))
    state.withLock { _ = shutdown($0.client, Int32(SHUT_RDWR)) }
  }

  var requests: [Request] { state.withLock { $0.requests } }
  var methods: [String] { requests.map(\.method) }

  /// - Parameter user: `USER:PASSWORD@`.
  func address(_ user: String = "") throws -> ServerAddress {
    guard let address = try? ServerAddress("//\(user)\(place)/cam") else {
      throw AudioError(.invalidParameter, cannot: "write", "\(place)", because: "it is no address")
    }
    return address
  }

  private func serve() {
    while true {
      let client = accept(listener.number, nil, nil)
      if client < 0 { return }
      state.withLock { $0.client = client }
      talk(client)
      state.withLock { $0.client = -1 }
      close(client)
    }
  }

  private func talk(_ client: Int32) {
    var text = ""
    var room = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe recv(client, &room, room.count, 0)
      if count <= 0 { return }
      text += String(decoding: room.prefix(count), as: UTF8.self)
      while let end = text.firstRange(of: "\r\n\r\n") {
        let request = Request(String(text[..<end.lowerBound]))
        text.removeSubrange(..<end.upperBound)
        state.withLock { $0.requests.append(request) }
        let answer = script(request) ?? Self.usualAnswer(to: request)
        let lines = answer.split(separator: "\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let number = request.headers["cseq"] ?? "?"
        send("\(lines[0])\r\nCSeq: \(number)\r\n\(lines.count > 1 ? lines[1] : "")", client)
        if floods, request.method == "PLAY" { return flood(client) }
      }
    }
  }

  private static func usualAnswer(to request: Request) -> String {
    switch request.method {
    case "OPTIONS":
      "RTSP/1.0 200 OK\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER\r\n\r\n"
    case "DESCRIBE":
      "RTSP/1.0 200 OK\r\nContent-Length: \(description.utf8.count)\r\n\r\n\(description)"
    case "SETUP":
      "RTSP/1.0 200 OK\r\nSession: 42\r\nTransport: \(request.headers["transport"] ?? "")\r\n\r\n"
    default: "RTSP/1.0 200 OK\r\n\r\n"
    }
  }

  private func flood(_ client: Int32) {
    let packet = [0x24, 0, 0x20, 0] + [UInt8](repeating: 1, count: 0x2000)
    while unsafe Glibc.send(client, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count {}
  }

  private func send(_ text: String, _ client: Int32) {
    let bytes = Array(text.utf8)
    unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
