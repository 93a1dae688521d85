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

  @Test func blanksAroundHeaders() throws {
    let text = "RTSP/1.0 200 OK\r\nContent-Length : 5 \t\r\nCSEQ:3\r\nSession:\t42 \r\n\r\nv=0\r\n"
    guard case .response(let answer)? = try items(of: Array(text.utf8), in: 7).first else {
      Issue.record("it is no answer")
      return
    }
    #expect(answer.body.count == 5 && answer["cseq"] == "3" && answer["session"] == "42")
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
    var authorization = try #require(
      Authorization(challenges("Basic realm=\"x\"", header), credentials))
    let value = authorization.value(for: "GET", "/dir/index.html", nonce: "0a4f113b")
    #expect(value.contains(#"response="6629fae49393a05397450978507c4ef1""#))
    #expect(
      value.contains("nc=00000001") && value.contains(#"opaque="5ccc069c403ebaf9f0171e9517f40e41""#)
    )
    #expect(authorization.value(for: "GET", "/", nonce: "0").contains("nc=00000002"))
    var old = try #require(
      Authorization(challenges(#"Digest realm="r", nonce="n""#), credentials))
    let plain = old.value(for: "PLAY", "rtsp://h/", nonce: "0")
    let md5 = DigestHash.md5
    let (first, second) = (
      md5.digits(of: "Mufasa:r:Circle Of Life"), md5.digits(of: "PLAY:rtsp://h/")
    )
    #expect(plain.contains("response=\"\(md5.digits(of: "\(first):n:\(second)"))\""))
    #expect(!plain.contains("Circle"))
  }

  private func challenges(_ headers: String...) -> [AuthenticationChallenge] {
    AuthenticationChallenge.all(in: headers)
  }

  /// RFC 7616, section 3.9.1: one header with both, and the server's order counts.
  @Test(arguments: [
    ("SHA-256", "MD5", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ("MD5", "SHA-256", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-512-256", "md5", "8ca523f5e9506fed4657c9700eebdbec"),
  ])
  func digestOfRFC7616(first: String, second: String, response: String) throws {
    func challenge(_ algorithm: String) -> String {
      #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
    }
    let header = "\(challenge(first)), Basic realm=\"x\", \(challenge(second))"
    let found = challenges(header)
    #expect(found.map(\.scheme) == ["digest", "basic", "digest"])
    var authorization = try #require(
      Authorization(found, Credentials(user: "Mufasa", password: "Circle of Life")))
    let value = authorization.value(
      for: "GET", "/dir/index.html", nonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    #expect(value.contains("response=\"\(response)\", qop=auth, nc=00000001"))
  }

  /// The hash of the password is made anew with the words of both sides. RFC 7616, section 3.4.2.
  @Test(arguments: ["SHA-256-sess", "MD5-SESS"]) func digestOfASession(algorithm: String) throws {
    let found = challenges(#"Digest realm="r", nonce="n", algorithm=\#(algorithm), qop="auth-int""#)
    var authorization = try #require(
      Authorization(found, Credentials(user: "u", password: "p")))
    let value = authorization.value(for: "PLAY", "rtsp://h/", nonce: "c")
    let hash = algorithm.hasPrefix("SHA") ? DigestHash.sha256 : .md5
    let first = hash.digits(of: hash.digits(of: "u:r:p") + ":n:c")
    let second = hash.digits(of: "PLAY:rtsp://h/:" + hash.digits(of: ""))
    let response = hash.digits(of: "\(first):n:00000001:c:auth-int:\(second)")
    #expect(value.contains("response=\"\(response)\", qop=auth-int"))
    #expect(value.contains("algorithm=\(algorithm)"))
  }

  /// FIPS 180-4: the examples of NIST for one block, for two blocks and for nothing; RFC 1321, section A.5.
  @Test func hashes() {
    let sha = DigestHash.sha256
    #expect(
      sha.digits(of: "abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      sha.digits(of: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      sha.digits(of: "") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(DigestHash.md5.digits(of: "message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
  }

  /// RFC 9110, section 11.6.1: commas stand between challenges and between their parameters.
  @Test func challengesOfHeaders() {
    let found = challenges(
      #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple", Negotiate"#,
      #"Digest realm = "a, b=c" ,nonce = "d", , stale=TRUE"#, "")
    #expect(found.map(\.scheme) == ["newauth", "basic", "negotiate", "digest"])
    #expect(found[0]["title"] == #"Login to \"apps\""# && found[1]["realm"] == "simple")
    #expect(found[3]["realm"] == "a, b=c" && found[3]["nonce"] == "d" && found[3].isStale)
  }

  /// RFC 7617, section 2.
  @Test func basic() throws {
    let credentials = Credentials(user: "Aladdin", password: "open sesame")
    var authorization = try #require(
      Authorization(
        challenges(#"Digest nonce="x", algorithm=SHA-512-256"#, "Basic realm=\"WallyWorld\""),
        credentials))
    #expect(
      authorization.value(for: "PLAY", "rtsp://h/", nonce: "")
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(Authorization(challenges("Bearer x"), credentials) == nil)
  }

  @Test(
    arguments: [
      ("//cam.local/audio?x=1", "rtsp://cam.local/audio?x=1", nil, nil),
      ("//bird:se%40cret@cam.local:8554/a", "rtsp://cam.local:8554/a", "bird", "se@cret"),
      ("//bird:a@b@[2001:db8::7]/a", "rtsp://[2001:db8::7]/a", "bird", "a@b"),
      ("//bird@cam.local", "rtsp://cam.local", "bird", ""),
    ] as [(String, String, String?, String?)])
  func addresses(text: String, shown: String, user: String?, password: String?) throws {
    let address = try ServerAddress(text)
    #expect(address.shown == shown)
    #expect(address.credentials?.user == user && address.credentials?.password == password)
    #expect(!shown.contains("cret"))
  }

  @Test(arguments: [
    "cam", "//", "//cam:0/", "//cam:99999/", "//:554/", "//a b/", "//cam/a\nb", "//[::1/",
  ])
  func whatIsNoAddress(text: String) {
    let error = #expect(throws: AudioError.self) { try ServerAddress(text) }
    #expect(error?.kind == .invalidParameter)
  }

  @Test(arguments: [
    ("trackID=1", "rtsp://h/a", "rtsp://h/a/trackID=1"),
    ("trackID=1", "rtsp://h/a/", "rtsp://h/a/trackID=1"),
    ("rtsp://h/b", "rtsp://h/a", "rtsp://h/b"), ("*", "rtsp://h/a", "rtsp://h/a"),
  ])
  func controls(control: String, base: String, url: String) {
    #expect(RTSPClient.resolve(control, base) == url)
  }

  @Test func parametersOfHeaders() {
    let transport = HeaderParameters("RTP/AVP/TCP;unicast;interleaved=2-3;ssrc=1F")
    #expect(transport.kind == "RTP/AVP/TCP" && transport["interleaved"] == "2-3")
    #expect(transport["unicast"] == "" && transport["mode"] == nil)
    let session = HeaderParameters(" 42 ; Timeout = 60 ")
    #expect(session.kind == "42" && session["timeout"] == "60")
  }
}
