// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioPrograms

/// Real sockets, and a session that only keeps its requests.
@Suite struct ClientLoopTests {
  /// A listener with its thread, in a folder of its own.
  final class Listening {
    let folder: ListeningSocketTests.Folder
    let host = StubHost()
    let loop: ClientLoop
    private let socket: ListeningSocket
    private let thread: SystemThread
    var path: String { socket.path }

    init(_ limits: ClientLimits = ClientLimits()) throws {
      folder = try ListeningSocketTests.Folder()
      socket = try ListeningSocket(path: folder("s"))
      let loop = try ClientLoop(socket, host, limits: limits)
      self.loop = loop
      thread = try SystemThread(named: "listener") { loop.run() }
    }

    func client(_ line: String? = nil) throws -> TestClient { try TestClient(path, line) }

    /// Waits until the thread has ended.
    func end() -> Bool {
      loop.end()
      return thread.join(atMost: .seconds(10))
    }

    deinit { loop.end() }
  }

  private func samples(_ count: Int, seed: UInt64 = 1) -> [Int16] {
    Noise.integers(count, seed: seed).map { Int16($0 * 32_768) }
  }

  private func steps(_ samples: [Float]) -> [Int16] { samples.map { Int16($0 * 32_768) } }

  @Test func aSourceGivesWhatItsClientSent() throws {
    let listening = try Listening()
    let client = try listening.client(#"{"join":"anna","rate":16000,"latency":40}"#)
    #expect(client.readLine() == #"{"schema":1,"ok":true,"join":"anna","latency":40}"#)
    let sent = samples(20_000)
    try client.send(SourceFeedTests.bytes(sent))
    client.finish()
    #expect(steps(listening.host.readAll("anna")) == sent)
    #expect(client.readToEnd().isEmpty)
    #expect(listening.host.requests == ["add anna"])
    #expect(listening.end())
  }

  /// The first line and the samples in one piece, as a shell sends them.
  @Test func samplesRightBehindTheLine() throws {
    let listening = try Listening()
    let client = try listening.client()
    let sent = samples(50_000)
    try client.send(
      Array(#"{"join":"b","rate":48000}"#.utf8) + [0x0A] + SourceFeedTests.bytes(sent))
    client.finish()
    while !listening.host.requests.contains("add b") { usleep(1_000) }
    #expect(steps(listening.host.readAll("b")) == sent)
    #expect(listening.end())
  }

  @Test(
    arguments: [
      "{\"join\":\"a\"}\n": "cannot join: the key 'rate' is missing",
      "\n": "cannot read JSON: the text ends where a value should be at byte 1",
      "{\"join\":\"a\",\"rate\":8000,\"volume\":1}\n":
        "cannot use 'volume': there is no such key here; "
        + "the keys are join, group, shared, rate, channels, encoding, framing, latency",
      String(repeating: "x", count: 65_537):
        "cannot understand the client: its first line is longer than 65536 bytes",
    ] as [String: String])
  func aLineThatIsRefusedEndsTheConnection(_ line: String, _ message: String) throws {
    let listening = try Listening()
    let client = try listening.client()
    try client.send(Array(line.utf8))
    let reply = String(decoding: client.readToEnd(), as: UTF8.self)
    let error = JSONValue.string(message).compact
    #expect(reply == "{\"schema\":1,\"ok\":false,\"error\":\(error)}\n")
    #expect(listening.host.requests.isEmpty)
    #expect(listening.end())
  }

  @Test func whatTheSessionRefusesIsTold() throws {
    let listening = try Listening()
    let first = try listening.client(#"{"join":"a","rate":8000}"#).answered()
    let second = try listening.client(#"{"join":"a","rate":8000}"#)
    #expect(
      second.readLine()
        == #"{"schema":1,"ok":false,"error":"cannot add source 'a': the id is taken"}"#)
    #expect(second.readLine() == nil)
    try first.send([0, 64])
    #expect(listening.host.read("a") == [0.5])
    #expect(listening.end())
  }

  @Test func whoSaysNothingOrHalfALineIsSentAway() throws {
    let listening = try Listening(ClientLimits(greeting: .milliseconds(30)))
    let silent = try listening.client()
    let half = try listening.client()
    try half.send(Array("{\"join\"".utf8))
    for client in [silent, half] {
      #expect(
        String(decoding: client.readToEnd(), as: UTF8.self)
          == "{\"schema\":1,\"ok\":false,\"error\":"
          + "\"cannot understand the client: its first line did not come in time\"}\n")
    }
    #expect(listening.end())
  }

  @Test func thereAreOnlySoManyClients() throws {
    let listening = try Listening(ClientLimits(clients: 2))
    let first = try listening.client(#"{"control":1}"#)
    let second = try listening.client(#"{"control":1}"#)
    _ = (first.readLine(), second.readLine())
    let third = try listening.client()
    #expect(
      third.readLine()
        == #"{"schema":1,"ok":false,"error":"cannot take the client: there are 2 already"}"#)
    #expect(third.readLine() == nil)
    #expect(listening.end())
  }

  /// A client that sends far more than its ring holds is read at the session's pace, and delays nothing.
  @Test func aFloodWaitsAndHoldsUpNobody() throws {
    let listening = try Listening()
    let flood = try listening.client(#"{"join":"flood","rate":8000}"#).answered()
    let sent = samples(1_000_000)
    let bytes = SourceFeedTests.bytes(sent)
    let sender = Thread {
      try? flood.send(bytes)
      flood.finish()
    }
    sender.start()
    // The other client is served meanwhile, though the flood is not read.
    let other = try listening.client(#"{"join":"other","rate":8000}"#).answered()
    for index in 0..<50 {
      try other.send(SourceFeedTests.bytes([Int16(index)]))
      #expect(listening.host.read("other").map(steps) == [Int16(index)])
    }
    #expect(steps(listening.host.readAll("flood")) == sent)
    #expect(listening.end())
  }

  @Test func aMalformedPacketIsToldAndEndsTheSource() throws {
    let listening = try Listening()
    let client = try listening.client(#"{"join":"p","rate":8000,"framing":"packets"}"#).answered()
    try client.send(PacketReaderTests.header(0, 2) + [0, 64] + PacketReaderTests.header(1, 3))
    #expect(
      client.readLine()
        == #"{"schema":1,"ok":false,"error":"cannot take the packet: its 3 bytes are not a multiple of 2, one sample of each channel"}"#
    )
    #expect(client.readLine() == nil)
    #expect(listening.host.readAll("p") == [0.5])
    #expect(listening.end())
  }

  @Test func aRemovedSourceIsClosed() throws {
    let listening = try Listening()
    let control = try listening.client(#"{"control":1}"#)
    #expect(control.readLine() == #"{"schema":1,"ok":true,"control":1}"#)
    let client = try listening.client(#"{"join":"a","rate":8000}"#).answered()
    try control.send(Array("{\"remove\":\"a\"}\n".utf8))
    #expect(control.readLine() == #"{"schema":1,"ok":true}"#)
    #expect(client.readToEnd().isEmpty)
    #expect(listening.end())
  }

  /// What the client has sent is dropped, in the ring and on its way; what it sends then is heard.
  @Test(arguments: ["none", "packets"]) func aClearedSourceGoesOn(_ framing: String) throws {
    let listening = try Listening()
    let control = try listening.client(#"{"control":1}"#).answered()
    let client = try listening.client(
      #"{"join":"a","rate":8000,"framing":"\#(framing)"}"#
    ).answered()
    func send(_ count: Int, _ sample: UInt8) throws {
      if framing == "packets" { try client.send(PacketReaderTests.header(.max, 2 * count)) }
      try client.send((0..<count).flatMap { _ in [0, sample] })
    }
    // The ring holds 4 s.
    try send(32_000, 64)
    try send(20_000, 64)
    try control.send(Array("{\"clear\":\"a\"}\n".utf8))
    #expect(control.readLine() == #"{"schema":1,"ok":true}"#)
    try send(3, 32)
    client.finish()
    #expect(listening.host.readAll("a") == [0.25, 0.25, 0.25])
    #expect(client.readToEnd().isEmpty)
    try control.send(Array("{\"clear\":\"b\"}\n".utf8))
    #expect(
      control.readLine()
        == #"{"schema":1,"ok":false,"error":"cannot clear 'b': no such program has joined"}"#)
    #expect(listening.end())
  }

  @Test func commandsAreAnsweredInOrder() throws {
    let listening = try Listening()
    let control = try listening.client()
    let lines = [
      #"{"control":1}"#, #"{"set":"anna","gain":-20}"#, #"{"set":"anna","muted":true,"gain":0}"#,
      #"{"split":true}"#, #"{"status":true}"#, "nonsense", #"{"stop":true}"#,
    ]
    try control.send(Array((lines.joined(separator: "\n") + "\n").utf8))
    var replies: [String?] = []
    for _ in lines { replies.append(control.readLine()) }
    #expect(
      replies == [
        #"{"schema":1,"ok":true,"control":1}"#, #"{"schema":1,"ok":true}"#,
        #"{"schema":1,"ok":true}"#,
        #"{"schema":1,"ok":false,"error":"cannot split: nothing is split here"}"#,
        #"{"schema":1,"ok":true,"sources":[]}"#,
        #"{"schema":1,"ok":false,"error":"cannot read JSON: there is no value at byte 1"}"#,
        #"{"schema":1,"ok":true}"#,
      ])
    #expect(
      listening.host.requests == ["gain anna 0.1", "gain anna 1.0", "mute anna inSums", "stop"])
    #expect(listening.end())
  }

  /// Commands from a pipe that ends with them: all answers come before the connection ends.
  @Test func answersComeAfterTheLastCommand() throws {
    let listening = try Listening()
    let control = try listening.client()
    try control.send(Array("{\"control\":1}\n{\"status\":true}\n{\"stop\":true}\n".utf8))
    control.finish()
    #expect(control.readToEnd().count { $0 == 0x0A } == 3)
    #expect(listening.end())
  }

  /// A client that has shut down its sending end still gets events, until it closes.
  @Test func aHalfClosedClientStillReads() throws {
    let listening = try Listening()
    var control: TestClient? = try listening.client(#"{"control":1,"events":true}"#)
    _ = control?.readLine()
    control?.finish()
    let event = ReplyLine.event("joined", [])
    for _ in 0..<3 {
      listening.loop.mail.tell(event)
      #expect(control?.readLine() == #"{"schema":1,"event":"joined"}"#)
    }
    control = nil
    while listening.loop.count > 0 { usleep(1_000) }
    #expect(listening.end())
  }

  /// Only clients that asked get events. A client that reads none loses some, gets their count, and delays nothing.
  @Test func eventsForThoseWhoWantThem() throws {
    let listening = try Listening()
    let quiet = try listening.client(#"{"control":1}"#)
    let eager = try listening.client(#"{"control":1,"events":true}"#)
    _ = (quiet.readLine(), eager.readLine())
    let event = ReplyLine.event("joined", [("source", .string("anna"))])
    listening.loop.mail.tell(event)
    #expect(eager.readLine() == #"{"schema":1,"event":"joined","source":"anna"}"#)
    try quiet.send(Array("{\"split\":true}\n".utf8))
    #expect(quiet.readLine()?.contains("nothing is split") == true)

    let long = ReplyLine.event("long", [("text", .string(String(repeating: "x", count: 10_000)))])
    for _ in 0..<500 { listening.loop.mail.tell(long) }
    // After this answer all events have been passed on or dropped.
    try quiet.send(Array("{\"split\":true}\n".utf8))
    #expect(quiet.readLine()?.contains("nothing is split") == true)
    // The count of lost events comes before the next event that fits. There can be several counts, for the loop sends
    // while it drops.
    let mail = listening.loop.mail
    let reader = Thread {
      while !Thread.current.isCancelled {
        mail.tell(event)
        usleep(1_000)
      }
    }
    reader.start()
    var longOnes = 0
    var lost = 0
    while let line = eager.readLine(), !line.contains("\"joined\"") {
      if line.contains("\"long\"") { longOnes += 1 }
      if line.hasPrefix(#"{"schema":1,"event":"lost","events":"#) {
        lost += try #require(Int(line.filter(\.isNumber).dropFirst()))
      }
    }
    reader.cancel()
    #expect(lost > 0)
    #expect(longOnes + lost >= 500)
    #expect(listening.end())
  }

  @Test func theEndClosesEverything() throws {
    let listening = try Listening()
    let clients = [
      try listening.client(#"{"join":"a","rate":8000}"#), try listening.client(#"{"control":1}"#),
      try listening.client(#"{"observe":"mixed"}"#), try listening.client(),
    ]
    for client in clients.dropLast() { _ = client.readLine() }
    #expect(listening.end())
    for client in clients { #expect(client.readToEnd().isEmpty) }
    #expect(listening.loop.count == 0)
  }

  @Test func manyComeAndGo() async {
    await #expect(processExitsWith: .success) {
      let listening = try Listening()
      func visit(_ index: Int) throws {
        let client = try listening.client(#"{"join":"v\#(index)","rate":8000}"#).answered()
        try client.send([0, UInt8(index % 100)])
        client.finish()
        // The connection ends when the session has the last sample.
        #expect(listening.host.readAll("v\(index)") == [Float(index % 100) / 128])
        #expect(client.readToEnd().isEmpty)
        try? listening.host.remove(SourceKey("v\(index)"), draining: false)
      }
      try visit(0)
      let before = OpenDescriptors()
      for index in 1...200 { try visit(index) }
      #expect(before.left() == [])
      #expect(listening.end())
    }
  }
}
