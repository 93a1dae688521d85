// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

/// The sound of a session description that is taken, or the reason why none is.
@Suite struct DescribedSoundTests {
  private func read(_ lines: String...) throws(AudioError) -> SessionDescription {
    try SessionDescription(
      Array(("v=0\nc=IN IP4 239.1.1.1\n" + lines.joined(separator: "\n")).utf8))
  }

  private func refusal(_ lines: String..., number: Int? = nil) throws -> String {
    let text = "v=0\nc=IN IP4 239.1.1.1\n" + lines.joined(separator: "\n")
    let description = try SessionDescription(Array(text.utf8))
    let error = try #require(throws: AudioError.self) {
      try description.sound(named: "x.sdp", number: number)
    }
    return error.description
  }

  @Test func listsAllThatMayCome() throws {
    let sound = try read(
      "m=audio 5004 RTP/AVP 0 8 96 97 13 101 98", "a=rtpmap:96 opus/48000/2",
      "a=rtpmap:97 L16/8000", "a=rtpmap:98 CN/16000", "a=rtpmap:101 telephone-event/8000"
    ).sound(named: "x")
    let numbers = sound.numbers
    #expect(numbers.order == [0, 8, 96, 97])
    #expect(numbers.meaning(of: 8) == .sound(try #require(PayloadFormat(name: "PCMA/8000"))))
    #expect(numbers.meaning(of: 96) == .other && numbers.meaning(of: 77) == .other)
    #expect(numbers.meaning(of: 101) == .pause)
    #expect(sound.payload.name == "PCMU/8000" && numbers.formats[8]?.name == "PCMA/8000")
    #expect(numbers.auxiliary == [13, 98, 101])
    #expect(
      [96, 101, 13, 8, 77].map { numbers.name(of: $0) }
        == ["opus/48000/2", "telephone-event/8000", "CN/8000", "PCMA/8000", "number 77"])
    #expect(sound.sources.isEmpty && sound.legs.count == 1)
    let none = PayloadNumbers()
    #expect(none.preferred == nil && none.auxiliary == [13])
  }

  @Test(arguments: [
    ("RTP/SAVP", "its sound is encrypted (RTP/SAVP)"),
    ("RTP/SAVPF", "its sound is encrypted (RTP/SAVPF)"),
    ("UDP/TLS/RTP/SAVPF", "its sound is encrypted (UDP/TLS/RTP/SAVPF)"),
    ("udp", "its sound does not come as RTP/AVP, but as udp"),
    ("TCP/RTP/AVP", "its sound does not come as RTP/AVP, but as TCP/RTP/AVP"),
  ])
  func namesOtherTransports(transport: String, reason: String) throws {
    let media = "m=audio 5004 \(transport) 0"
    #expect(try refusal(media) == "cannot receive 'x.sdp': \(reason)")
    // Another sound is taken; a number asks for one.
    let both = try read(media, "m=audio 5006 RTP/AVPF 8")
    #expect(try both.sound(named: "x").legs.map(\.port) == [5_006])
    #expect(throws: AudioError.self) { try both.sound(named: "x", number: 1) }
  }

  /// RFC 4568, section 4; RFC 4567, section 3.1: of a stream, or of the session.
  @Test func namesKeys() throws {
    let reason = "cannot receive 'x.sdp': its sound is encrypted: it states a key"
    let media = "m=audio 5004 RTP/AVP 0"
    let key = "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz"
    #expect(try refusal(media, key) == reason)
    #expect(try refusal("a=key-mgmt:mikey AQAFgM0XflABAAAA", media) == reason)
  }

  @Test func numbersOfStreams() throws {
    let description = try read(
      "m=video 5000 RTP/AVP 33", "m=audio 5004 RTP/AVP 96", "a=rtpmap:96 vorbis/48000/2",
      "m=audio 0 RTP/AVP 0", "m=audio 5006 RTP/AVP 8", "m=audio 5008 RTP/AVP 0")
    #expect(try description.sound(named: "x").legs.map(\.port) == [5_006])
    #expect(try description.sound(named: "x", number: 3).legs.map(\.port) == [5_008])
    // A server is asked for all: its ports are 0.
    #expect(try description.sound(named: "x", number: 2, isAsked: true).legs.map(\.port) == [0])
    let error = try #require(throws: AudioError.self) {
      try description.sound(named: "x.sdp", number: 4)
    }
    #expect(
      error.description
        == "cannot receive 'x.sdp': it has 3 streams of sound, and --stream asks for number 4")
    #expect(
      try refusal("m=audio 5004 RTP/AVP 0", number: 2)
        == "cannot receive 'x.sdp': it has 1 stream of sound, and --stream asks for number 2")
  }

  @Test func namesOtherReasons() throws {
    #expect(
      try refusal("m=audio 0 RTP/AVP 0")
        == "cannot receive 'x.sdp': its sound is declined: the port is 0")
    #expect(
      try refusal("m=audio 5004 RTP/AVP 96", "a=rtpmap:96 L24/48000/128")
        == "cannot receive 'x.sdp': its sound has 128 channels, and 64 are the most")
    #expect(
      try refusal("m=video 5004 RTP/AVP 96")
        == "cannot receive 'x.sdp': it has no stream of sound, only video")
  }

  /// RFC 4570, section 3: that of a stream counts more, and one line has several hosts.
  @Test func filters() throws {
    let media = try read(
      "a=source-filter: excl IN IP4 * 192.0.2.9",
      "a=source-filter: incl IN IP4 239.2.2.2 192.0.2.1",
      "m=audio 5004 RTP/AVP 0",
      "m=audio 5006 RTP/AVP 0", "c=IN IP4 239.2.2.2/32",
      "a=source-filter: incl IN IP4 239.2.2.2 192.0.2.7 192.0.2.8",
      "a=source-filter:incl IN IP4 239.2.2.2 192.0.2.10",
      "m=audio 5008 RTP/AVP 0", "a=source-filter: incl IN IP4 239.3.3.3 192.0.2.3",
      "m=audio 5010 RTP/AVP 0", "a=source-filter: incl IN"
    ).media
    #expect(media[0].filter?.isExclusive == true && media[0].filter?.senders == ["192.0.2.9"])
    #expect(
      media[1].filter?.isExclusive == false
        && media[1].filter?.senders == ["192.0.2.7", "192.0.2.8", "192.0.2.10"])
    // A filter of another address is none.
    #expect(media[2].filter == media[0].filter && media[3].filter == media[0].filter)
  }

  /// RFC 7104, sections 4.2 and 4.3.
  @Test func duplicates() throws {
    let one = try read(
      "m=audio 30000 RTP/AVP 100", "a=rtpmap:100 L24/48000/2", "a=ssrc:1000 cname:ch1@example.com",
      "a=ssrc:1010 cname:ch1@example.com", "a=ssrc-group:DUP 1000 1010", "a=mid:Ch1"
    ).sound(named: "x")
    #expect(one.sources == [1_000, 1_010] && one.legs.count == 1)
    let legs = [
      "a=group:DUP S1a S1b", "m=audio 30000 RTP/AVP 100", "c=IN IP4 233.252.0.1/127",
      "a=source-filter:incl IN IP4 233.252.0.1 198.51.100.1", "a=rtpmap:100 L24/48000/2",
      "a=mid:S1a", "m=audio 30000 RTP/AVP 101", "c=IN IP4 233.252.0.2/127",
      "a=source-filter:incl IN IP4 233.252.0.2 198.51.100.1", "a=rtpmap:101 L24/48000/2",
      "a=mid:S1b", "m=audio 30004 RTP/AVP 0",
    ].joined(separator: "\n")
    let sound = try read(legs).sound(named: "x")
    #expect(sound.legs.map(\.connection?.host) == ["233.252.0.1", "233.252.0.2"])
    #expect(sound.numbers.order == [100, 101] && sound.sources.isEmpty)
    #expect(try read(legs).sound(named: "x", number: 2).legs.map(\.port) == [30_004])
    let named = legs.replacing("a=mid:S1a", with: "a=ssrc:7 cname:a\na=mid:S1a")
    #expect(try read(named).sound(named: "x").sources.isEmpty)
    let both = named.replacing("a=mid:S1b", with: "a=ssrc:8 cname:a\na=mid:S1b")
    #expect(try read(both).sound(named: "x").sources == [7, 8])
  }

  /// As ffmpeg, editors and people write it.
  @Test(arguments: [
    "SDP:\nv=0\nc=IN IP4 239.1.1.1\nm=audio 5004 RTP/AVP 8\n",
    "\u{FEFF}v=0\r\nc=IN IP4 239.1.1.1\r\nm=audio 5004 RTP/AVP 8\r\n",
    "\n  SDP: \n\n  v=0  \n\tc=IN IP4 239.1.1.1 \t\n  m=audio 5004  RTP/AVP 8  \n\n",
    "v=0\rc=IN IP4 239.1.1.1\rm=audio 5004 RTP/AVP 8\r",
  ])
  func spellings(text: String) throws {
    let sound = try SessionDescription(Array(text.utf8)).sound(named: "x")
    #expect(sound.payload.name == "PCMA/8000" && sound.legs[0].connection?.host == "239.1.1.1")
  }

  @Test(arguments: ["v=0\r\rx\r", "SDP:\n\nx", "v=0\r\n\r\nx\r\n", "v=0\nSDP:\nx=1\nSDP\n"])
  func tellsTheLine(text: String) throws {
    let error = try #require(throws: AudioError.self) { try SessionDescription(Array(text.utf8)) }
    let line = text.hasPrefix("v=0\nSDP") ? 2 : 3
    #expect(error.reason == "line \(line) is not of the form x=…")
  }
}
