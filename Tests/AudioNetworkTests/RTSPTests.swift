// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct RTSPTests {
  private func items(of text: [UInt8], in pieces: Int) throws -> [RTSPReader.Item] {
    var reader = RTSPReader()
    var items: [RTSPReader.Item] = []
    for start in stride(from: 0, to: text.count, by: pieces) {
      let piece = Array(text[start..<min(start + pieces, text.count)])
      unsafe reader.append(piece.span.bytes)
      while let item = try reader.next() { items.append(item) }
    }
    #expect(reader.heldCount == 0)
    return items
  }

  /// Messages and packets come in pieces of any length.
  @Test(arguments: [1, 2, 3, 7, 64, 100_000])
  func itemsInPieces(length: Int) throws {
    let text = "RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 5\r\n\r\nv=0\r\n"
    let packet: [UInt8] = [0x24, 1, 0, 3, 0x0D, 0x24, 0x0A]
    let bytes =
      Array(text.utf8) + packet + Array("\r\nOPTIONS rtsp://x RTSP/1.0\r\nCSeq: 3\r\n\r\n".utf8)
      + packet + Array("RTSP/1.0 454 Session Not Found\n\n".utf8)
    let found = try items(of: bytes, in: length)
    #expect(found.count == 5)
    guard case .response(let first) = found[0], case .response(let last) = found[4] else {
      Issue.record("\(found)")
      return
    }
    #expect(first.status == 200 && first.body == Array("v=0\r\n".utf8) && first["cseq"] == "1")
    #expect(found[1] == .packet(channel: 1, [0x0D, 0x24, 0x0A]) && found[2] == .request)
    #expect(found[3] == found[1])
    #expect(last.status == 454 && last.reason == "Session Not Found" && last.headers == [])
  }

  @Test(arguments: [
    (
      "RTSP/1.0 200 OK\r\nContent-Length: 65537\r\n\r\n",
      "it states an impossible length of an answer"
    ),
    (
      "RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n", "it states an impossible length of an answer"
    ),
    ("RTSP/1.0 20 OK\r\n\r\n", "it does not speak RTSP"),
    ("HTTP/1.1 200 OK\r\n\r\n", "it does not speak RTSP"),
    (String(repeating: "a", count: 4_096), "it sends a line of more than 4096 bytes"),
    (
      "RTSP/1.0 200 OK\r\n" + String(repeating: "a: b\r\n", count: 101),
      "it sends more than 100 headers"
    ),
  ])
  func whatIsNoRTSP(text: String, reason: String) throws {
    var reader = RTSPReader()
    unsafe reader.append(Array(text.utf8).span.bytes)
    let error = try #require(throws: AudioError.self) { while try reader.next() != nil {} }
    #expect(error.kind == .malformed && error.reason == reason)
  }

  /// The example of RFC 2617, section 3.5, and one without `qop`, by its formula.
  @Test func digest() throws {
    let credentials = Credentials(user: "Mufasa", password: "Circle Of Life")
    let header =
      #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41""#
    var authorization = try #require(Authorization(["Basic realm=\"x\"", header], credentials))
    let value = authorization.value(for: "GET", "/dir/index.html", nonce: "0a4f113b")
    #expect(value.contains(#"response="6629fae49393a05397450978507c4ef1""#))
    #expect(
      value.contains("nc=00000001") && value.contains(#"opaque="5ccc069c403ebaf9f0171e9517f40e41""#)
    )
    #expect(authorization.value(for: "GET", "/", nonce: "0").contains("nc=00000002"))
    var old = try #require(Authorization([#"Digest realm="r", nonce="n""#], credentials))
    let plain = old.value(for: "PLAY", "rtsp://h/", nonce: "0")
    #expect(
      plain.contains(
        "response=\"\(md5("\(md5("Mufasa:r:Circle Of Life")):n:\(md5("PLAY:rtsp://h/"))"))\""))
    #expect(!plain.contains("Circle"))
  }

  /// RFC 7617, section 2; RFC 1321, section A.5.
  @Test func basic() throws {
    let credentials = Credentials(user: "Aladdin", password: "open sesame")
    var authorization = try #require(
      Authorization(
        [#"Digest nonce="x", algorithm=SHA-256"#, "Basic realm=\"WallyWorld\""], credentials))
    #expect(
      authorization.value(for: "PLAY", "rtsp://h/", nonce: "")
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(Authorization(["Bearer x"], credentials) == nil)
    #expect(md5("message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
    #expect(Authorization.isStale([#"Digest nonce="x", stale=TRUE"#]))
  }

  @Test(
    arguments: [
      ("//cam.local/audio?x=1", "rtsp://cam.local/audio?x=1", nil, nil),
      ("//bird:se%40cret@cam.local:8554/a", "rtsp://cam.local:8554/a", "bird", "se@cret"),
      ("//bird:a@b@[2001:db8::7]/a", "rtsp://[2001:db8::7]/a", "bird", "a@b"),
      ("//bird@cam.local", "rtsp://cam.local", "bird", ""),
    ] as [(String, String, String?, String?)])
  func addresses(text: String, shown: String, user: String?, password: String?) throws {
    let address = try #require(ServerAddress(text))
    #expect(address.shown == shown)
    #expect(address.credentials?.user == user && address.credentials?.password == password)
    let secret = ServerAddress.secret(in: text)
    #expect(secret.isEmpty == (user == nil) && !shown.contains("cret"))
  }

  @Test(arguments: [
    "cam", "//", "//cam:0/", "//cam:99999/", "//:554/", "//a b/", "//cam/a\nb", "//[::1/",
  ])
  func whatIsNoAddress(text: String) { #expect(ServerAddress(text) == nil) }

  @Test(arguments: [
    ("trackID=1", "rtsp://h/a", "rtsp://h/a/trackID=1"),
    ("trackID=1", "rtsp://h/a/", "rtsp://h/a/trackID=1"),
    ("rtsp://h/b", "rtsp://h/a", "rtsp://h/b"), ("*", "rtsp://h/a", "rtsp://h/a"),
  ])
  func controls(control: String, base: String, url: String) {
    #expect(RTSPClient.resolve(control, base) == url)
  }

  @Test func parametersOfHeaders() {
    let transport = HeaderParameters("RTP/AVP/TCP;unicast;interleaved=2-3;ssrc=1F", separator: ";")
    #expect(transport.kind == "RTP/AVP/TCP" && transport["interleaved"] == "2-3")
    #expect(transport["unicast"] == "" && transport["mode"] == nil)
    let challenge = HeaderParameters(#"Digest realm="a, b=c",nonce = "d""#, separator: ",")
    #expect(challenge["realm"] == "a, b=c" && challenge["nonce"] == "d")
  }
}
