// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPrograms

@Suite struct FirstLineTests {
  private func read(_ text: String) throws -> FirstLine { try FirstLine(text.utf8) }

  private func refusal(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func join() throws {
    let line =
      #"{"join":"anna","group":"room","rate":16000,"channels":2,"encoding":"f32","#
      + #""framing":"packets","latency":250}"#
    guard case .join(let request) = try read(line) else { throw Unexpected() }
    #expect(request.key == "room/anna")
    #expect(!request.isShared)
    #expect(request.format == (try StreamFormat(sampleRate: 16_000, channelCount: 2)))
    #expect(request.layout == SampleLayout(.f32, .little))
    #expect(request.framing == .packets)
    #expect(request.latency == 250)
  }

  /// Many languages write a computed integer this way.
  @Test func aWholeNumberIsAnInteger() throws {
    guard case .join(let request) = try read(#"{"join":"b","rate":16000.0,"channels":2e0}"#) else {
      throw Unexpected()
    }
    #expect(request.format == (try StreamFormat(sampleRate: 16_000, channelCount: 2)))
    for rate in ["16000.5", "1e300", "-16000.0", "999.0"] {
      #expect(
        refusal(#"{"join":"b","rate":\#(rate)}"#)
          == "cannot use 'rate': it must be an integer from 1000 to 768000")
    }
  }

  @Test func whatASourceNeedNotSay() throws {
    guard case .join(let request) = try read(#"{"rate":8000,"join":"b"}"#) else {
      throw Unexpected()
    }
    #expect(request.key.group == nil)
    #expect(request.format.channelCount == 1)
    #expect(request.layout == SampleLayout(.s16, .little))
    #expect(request.framing == .none)
    #expect(request.latency == 100)
  }

  @Test func observe() throws {
    let line =
      #"{"observe":"before-mixing","source":"anna","rate":16000,"channels":1,"#
      + #""samplesPerCall":1600,"encoding":"f64","mode":"read-write","latency":40}"#
    guard case .observe(let request) = try read(line) else { throw Unexpected() }
    #expect(request.position == .beforeMixing)
    #expect(request.source == "anna")
    #expect(
      request.parameters
        == FrameParameters(
          sampleRate: 16_000, channelCount: 1, mode: .readWrite, samplesPerCall: 1_600))
    #expect(request.layout == SampleLayout(.f64, .little))
    #expect(request.latency == 40)
    guard case .observe(let plain) = try read(#"{"observe":"mixed"}"#) else { throw Unexpected() }
    #expect(plain.position == .mixed)
    #expect(plain.source == nil)
    #expect(plain.parameters == FrameParameters(mode: .readOnly))
    #expect(plain.layout == SampleLayout(.s16, .little))
  }

  @Test func control() throws {
    #expect(try read(#"{"control":1}"#) == .control(try control(false)))
    #expect(try read(#"{"events":true,"control":1}"#) == .control(try control(true)))
  }

  private func control(_ events: Bool) throws -> ControlRequest {
    var members = try LineMembers(#"{"control":1,"events":\#(events)}"#.utf8)
    return try ControlRequest(&members)
  }

  @Test(
    arguments: [
      "[]": "cannot understand the line: it is not a JSON object",
      "{}": "cannot understand the line: it has none of the keys join, observe and control; "
        + "a first line has one of join, observe and control",
      #"{"join":"a","observe":"mixed"}"#:
        "cannot understand the line: it has the keys join and observe; "
        + "a first line has one of join, observe and control",
      #"{"join":"a","rate":8000,"rat":1,"x":null}"#:
        "cannot use 'rat', 'x': there are no such keys here; "
        + "the keys are join, group, shared, rate, channels, encoding, framing, latency",
      #"{"join":"a"}"#: "cannot join: the key 'rate' is missing",
      #"{"join":7,"rate":8000}"#: "cannot use 'join': it must be a string",
      #"{"join":"a/b","rate":8000}"#: "cannot use source id 'a/b': it has the character '/'; "
        + "ids are letters, digits, '_' and '-'",
      #"{"join":"a","rate":"8k"}"#: "cannot use 'rate': it must be an integer from 1000 to 768000",
      #"{"join":"a","rate":8000.5}"#:
        "cannot use 'rate': it must be an integer from 1000 to 768000",
      #"{"join":"a","rate":null}"#: "cannot use 'rate': it must be an integer from 1000 to 768000",
      #"{"join":"a","rate":999}"#: "cannot use 'rate': it must be an integer from 1000 to 768000",
      #"{"join":"a","rate":8000,"channels":65}"#:
        "cannot use 'channels': it must be an integer from 1 to 64",
      #"{"join":"a","rate":8000,"encoding":"mp3"}"#:
        #"cannot use 'encoding': it must be one of "s8", "u8", "s16", "s24", "s32", "f32", "f64", "#
        + #""ulaw", "alaw""#,
      #"{"join":"a","rate":8000,"framing":true}"#:
        #"cannot use 'framing': it must be one of "none", "packets""#,
      #"{"join":"a","rate":8000,"latency":3001}"#:
        "cannot use 'latency': it must be an integer from 0 to 3000",
      #"{"observe":"before"}"#:
        #"cannot use 'observe': it must be one of "playback", "record", "mixed", "before-mixing", "shared", "mix-minus""#,
      #"{"observe":"mix-minus"}"#: "cannot observe: the key 'source' is missing",
      #"{"observe":"mix-minus","source":"anna","mode":"read-write"}"#:
        "cannot use 'mode': the sum without a source can only be read",
      #"{"observe":"mixed","source":"anna"}"#:
        "cannot use 'source': it goes with before-mixing, record and mix-minus only",
      #"{"observe":"mixed","latency":10}"#:
        "cannot use 'latency': it goes with the mode read-write only",
      #"{"observe":"mixed","mode":"write-only"}"#:
        #"cannot use 'mode': it must be one of "read-only", "read-write""#,
      #"{"observe":"mixed","samplesPerCall":480}"#:
        "cannot use 'samplesPerCall': it needs rate and channels",
      #"{"control":2}"#: "cannot use 'control': it must be an integer from 1 to 1",
      #"{"control":1,"events":1}"#: "cannot use 'events': it must be true or false",
    ] as [String: String])
  func refused(_ line: String, _ message: String) {
    #expect(refusal(line) == message)
  }

  @Test func aFrameIsAtLeast10Milliseconds() {
    let line = #"{"observe":"mixed","rate":48000,"channels":2,"samplesPerCall":480}"#
    #expect(refusal(line)?.contains("960") == true)
  }

  @Test func anIDIsShort() {
    let id = String(repeating: "x", count: 64)
    #expect(refusal(#"{"join":"\#(id)","rate":8000}"#) == nil)
    #expect(
      refusal(#"{"join":"\#(id)x","rate":8000}"#)
        == "cannot use 'join': it must be at most 64 characters")
  }
}

/// A line was parsed as another kind.
struct Unexpected: Error {}

@Suite struct ControlCommandTests {
  @Test func commands() throws {
    let anna: SourceKey = "anna"
    func read(_ text: String) throws -> ControlCommand { try ControlCommand(text.utf8) }
    #expect(try read(#"{"set":"anna","gain":-6}"#) == .set(anna, gain: -6, muted: nil))
    #expect(try read(#"{"set":"anna","muted":true}"#) == .set(anna, gain: nil, muted: .inSums))
    #expect(
      try read(#"{"set":"anna","muted":"everywhere"}"#)
        == .set(anna, gain: nil, muted: .everywhere))
    #expect(
      try read(#"{"set":"anna","gain":0.5,"muted":false}"#) == .set(anna, gain: 0.5, muted: .off))
    #expect(try read(#"{"remove":"anna"}"#) == .remove(anna, draining: false))
    #expect(try read(#"{"remove":"hall/anna"}"#) == .remove("hall/anna", draining: false))
    #expect(try read(#"{"remove":"anna","drain":true}"#) == .remove(anna, draining: true))
    #expect(try read(#"{"clear":"hall/anna"}"#) == .clear("hall/anna"))
    #expect(
      try read(#"{"set":"hall/anna","muted":true}"#) == .set("hall/anna", gain: nil, muted: .inSums)
    )
    #expect(try read(#"{"split":true}"#) == .split)
    #expect(try read(#"{"status":true}"#) == .status)
    #expect(try read(#"{"stop":true}"#) == .stop)
  }

  @Test(
    arguments: [
      "{}": "cannot understand the line: it has no command; "
        + "a line has one of set, remove, clear, split, status and stop",
      #"{"stop":true,"split":true}"#: "cannot understand the line: it has 2 commands; "
        + "a line has one of set, remove, clear, split, status and stop",
      #"{"stop":false}"#: "cannot use 'stop': it must be true",
      #"{"set":"anna"}"#: "cannot set: the keys 'gain' and 'muted' are missing",
      #"{"set":"anna","gain":"loud"}"#: "cannot use 'gain': it must be a number from -200 to 60",
      #"{"set":"anna","gain":61}"#: "cannot use 'gain': it must be a number from -200 to 60",
      #"{"set":"anna","muted":"here"}"#:
        #"cannot use 'muted': it must be true, false or "everywhere""#,
      #"{"set":"anna","mute":true}"#:
        "cannot use 'mute': there is no such key here; the keys are set, gain, muted",
      #"{"remove":true}"#: "cannot use 'remove': it must be a string",
      #"{"remove":"anna","drain":1}"#: "cannot use 'drain': it must be true or false",
      #"{"clear":"anna","drain":true}"#:
        "cannot use 'drain': there is no such key here; the keys are clear",
    ] as [String: String])
  func refused(_ line: String, _ message: String) {
    #expect { try ControlCommand(line.utf8) } throws: { "\($0)" == message }
  }
}
