// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct SessionDescriptionTests {
  private func read(_ text: String) throws(AudioError) -> SessionDescription {
    try SessionDescription(Array(text.utf8))
  }

  private let studio = """
    v=0\r
    o=- 1 1 IN IP4 192.0.2.7\r
    s=Studio 1\r
    c=IN IP4 239.69.0.1/32\r
    t=0 0\r
    a=control:*\r
    m=video 5002 RTP/AVP 99\r
    a=rtpmap:99 H264/90000\r
    m=audio 5004 RTP/AVP 97 96\r
    c=IN IP4 239.69.0.2/15\r
    a=rtpmap:97 VORBIS/48000/2\r
    a=rtpmap:96 L24/48000/8\r
    a=fmtp:96 channel-order=SMPTE2110.(51,ST)\r
    a=source-filter: incl IN IP4 239.69.0.2 192.0.2.7\r
    a=control:track2\r
    """

  @Test func readsStreams() throws {
    let read = try read(studio)
    #expect(read.name == "Studio 1")
    #expect(read.control == "*")
    #expect(read.media.map(\.kind) == ["video", "audio"])
    let sound = try #require(read.media.last)
    #expect(sound.port == 5_004)
    #expect(sound.connection?.host == "239.69.0.2")
    #expect(read.media.first?.connection?.host == "239.69.0.1")
    #expect(sound.filter?.senders == ["192.0.2.7"] && sound.filter?.isExclusive == false)
    #expect(sound.control == "track2")
    #expect(sound.formatNames == ["VORBIS/48000/2", "L24/48000/8"])
    #expect(sound.numbers.order == [96])
    #expect(sound.numbers.preferred?.name == "L24/48000/8")
    #expect(sound.parameters[96] == "channel-order=SMPTE2110.(51,ST)")
  }

  @Test func knowsNumbersWithoutNames() throws {
    let read = try read("v=0\nm=audio 7 RTP/AVP 3 8\n")
    #expect(read.media.first?.numbers.preferred?.name == "PCMA/8000")
    #expect(read.media.first?.connection == nil)
    #expect(PayloadFormat(staticType: 10)?.name == "L16/44100/2")
  }

  @Test(arguments: [
    ("", "it describes no stream"),
    ("v=0\n", "it describes no stream"),
    ("hello\n", "line 1 is not of the form x=…"),
    ("s=x\nm=audio 1 RTP/AVP 0", "it does not begin with v=0"),
    ("v=0\nm=audio\n", "line 2 is not of the form m=KIND PORT PROTOCOL FORMATS"),
    ("v=0\nm=audio 70000 RTP/AVP 0\n", "line 2 is not of the form m=KIND PORT PROTOCOL FORMATS"),
    ("v=0\nc=IN IP5 x\n", "line 2 is not of the form c=IN IP4 ADDRESS"),
  ])
  func tellsTheLine(text: String, reason: String) {
    #expect {
      try read(text)
    } throws: { error in
      (error as? AudioError)?.reason == reason
    }
  }

  @Test func limitsTexts() {
    #expect(throws: AudioError.self) { try read("v=0\ns=" + String(repeating: "x", count: 5_000)) }
    #expect(throws: AudioError.self) {
      try read("v=0\n" + String(repeating: "m=audio 1 RTP/AVP 0\n", count: 65))
    }
    #expect(throws: AudioError.self) {
      try read("v=0\n" + String(repeating: "a=b\n", count: 20_000))
    }
  }

  @Test(arguments: [
    "L24/48000/0", "L24/0", "L24/x/2", "L24", "L8/48000", "L16/48000/2/2", "L16/48000/",
  ])
  func refusesFormats(name: String) { #expect(PayloadFormat(name: name) == nil) }
}
