// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct NetworkRequestTests {
  @Test func addresses() throws {
    let payload = try #require(PayloadFormat(name: "L24/48000/2"))
    #expect(payload.format.channelCount == 2 && payload.encoding == .l24)
    #expect(try NetworkRequest(rtp: "studio.sdp") == .description(path: "studio.sdp"))
    #expect(
      try NetworkRequest(rtp: "//239.69.0.1:5004?l24/48000/2")
        == .address(host: "239.69.0.1", port: 5_004, payload))
    #expect(try NetworkRequest(rtp: "//[::]:5004") == .address(host: "::", port: 5_004, nil))
    #expect(
      try NetworkRequest(rtp: "//239.1.2.3%eth1:5004?l24/48000/2&ssrc=0x1234")
        == .address(host: "239.1.2.3%eth1", port: 5_004, payload, source: 0x1234))
    #expect(
      try NetworkRequest(rtp: "//[ff02::1%eth1]:5004?ssrc=4294967295")
        == .address(host: "ff02::1%eth1", port: 5_004, nil, source: .max))
  }

  @Test(arguments: [
    "", "//", "//host", "//host:0", "//host:5004?l24", "//host:5004?l23/48000/2", "//host:5004?",
    "//host:5004?ssrc=", "//host:5004?ssrc=0x", "//host:5004?ssrc=4294967296",
    "//host:5004?ssrc=-1", "//host:5004?ssrc=1&ssrc=2", "//host:5004?l16/8000&l16/8000",
    "//host:5004?l16/8000&", "//bird:secret@host:5004", "//bird@host:5004",
  ])
  func whatIsNoAddress(text: String) {
    let error = #expect(throws: AudioError.self) { try NetworkRequest(rtp: text) }
    #expect(error?.kind == .invalidParameter)
  }

  @Test func theSchemeMayBeThere() throws {
    for scheme in ["", "rtp:", "RTP:"] {
      #expect(
        try NetworkRequest(rtp: scheme + "//[::]:5004") == .address(host: "::", port: 5_004, nil))
      #expect(try NetworkRequest(rtp: scheme + "a b.sdp") == .description(path: "a b.sdp"))
    }
    #expect(try ServerAddress("rtsp://cam/x") == ServerAddress("//cam/x"))
    for text in ["rtsp://bird:secret@host:5004", "http://host:5004", "s-r.t+p://host"] {
      let error = #expect(throws: AudioError.self) { try NetworkRequest(rtp: text) }
      #expect(error?.kind == .invalidParameter && error?.reason == "its scheme is not rtp")
      #expect(error?.description.contains("secret") == false)
    }
    let error = #expect(throws: AudioError.self) { try ServerAddress("rtp://host:5004") }
    #expect(error?.reason == "its scheme is not rtsp")
  }

  @Test func addressesOfTheSystem() throws {
    let four = try Loopback.address("239.69.0.1", port: 5_004)
    #expect(four.isMulticast && four.description == "239.69.0.1:5004")
    let six = try Loopback.address("::1", port: 554)
    #expect(!six.isMulticast && six.description == "[::1]:554")
    #expect(SocketAddress(six.storage) == six && SocketAddress(four.storage) == four)
    #expect(throws: AudioError.self) { try Loopback.address("no host", port: 1) }
  }

  /// A format of a known encoding is refused for its own reason.
  @Test(arguments: [
    (
      "config=1190;mode=AAC-hbr;maxDisplacement=4096",
      "its units are interleaved (maxdisplacement)"
    ),
    ("config=f8e640;mode=AAC-hbr", "it is AAC of object type 39; accepted: 1, 2, 4, 5 and 29"),
    (
      "mode=AAC-hbr",
      "its configuration (a=fmtp) is not known; give a session description, as in rtp:FILE.sdp"
    ),
  ])
  func whatIsRefused(parameters: String, reason: String) throws {
    let text =
      "v=0\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 96\na=rtpmap:96 mpeg4-generic/48000/2\n"
      + "a=fmtp:96 \(parameters)\n"
    let description = try SessionDescription(Array(text.utf8))
    let error = try #require(throws: AudioError.self) { try description.sound(named: "x.sdp") }
    #expect(error.description == "cannot receive 'x.sdp': \(reason)")
  }

  /// The error names the formats that a description has.
  @Test func whatCannotBeReceived() throws {
    let text =
      "v=0\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 96 9\na=rtpmap:96 vorbis/48000/2\n"
    let description = try SessionDescription(Array(text.utf8))
    let error = try #require(throws: AudioError.self) { try description.sound(named: "x.sdp") }
    #expect(
      error.description
        == "cannot receive 'x.sdp': its sound is sent as vorbis/48000/2, number 9; accepted are L16, L24, PCMU, PCMA, OPUS, MPEG4-GENERIC, MP4A-LATM"
    )
  }
}
