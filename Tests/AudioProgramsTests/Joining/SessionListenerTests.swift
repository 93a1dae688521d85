// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioPrograms

/// Clients at a socket, and a session that runs behind it.
@Suite struct SessionListenerTests {
  /// A session on its own thread that ends when the last client has left.
  final class Meeting {
    let folder: ListeningSocketTests.Folder
    let listener: SessionListener
    let control = SessionControl()
    private let heard = Box<[Double]>([])
    private let ended = DispatchSemaphore(value: 0)
    var path: String { listener.path }

    /// - Parameter sums: false = there is only a local source, and no client may join.
    init(rate: Int = 8_000, sums: Bool = true, _ onSplit: (@Sendable () -> Void)? = nil) throws {
      folder = try ListeningSocketTests.Folder()
      listener = try SessionListener(path: folder("s"))
      let session = Session(control: control)
      let sink = CollectingSink()
      if sums {
        session.end = .whenEmpty
        session.mixSampleRate = rate
        session.mixChannelCount = 1
        try session.setSink(sink, at: .playback)
      } else {
        // A source without samples and without an end.
        try session.setLocal(try GivenSource([0], isLive: true, pieces: [0]))
        try session.setSink(sink, at: .publish)
      }
      try listener.attach(to: session, onSplit: onSplit)
      let running = Running(session, sink)
      let (heard, ended) = (heard, ended)
      Thread.detachNewThread {
        heard.value = running.run()
        ended.signal()
      }
    }

    /// A session on its way to its thread.
    private struct Running: @unchecked Sendable {
      private let session: Session
      private let sink: CollectingSink

      init(_ session: Session, _ sink: CollectingSink) {
        self.session = session
        self.sink = sink
      }

      func run() -> [Double] {
        do { _ = try session.run() } catch { Issue.record(error) }
        return sink.samples
      }
    }

    /// Waits for the end and returns the sound without the silence around it.
    func end() -> [Double] {
      ended.wait()
      listener.close()
      let samples = heard.value
      guard let first = samples.firstIndex(where: { $0 != 0 }),
        let last = samples.lastIndex(where: { $0 != 0 })
      else { return [] }
      return Array(samples[first...last])
    }
  }

  private func loud(_ count: Int, seed: UInt64) -> [Double] {
    Noise.integers(count, seed: seed).map { $0 == 0 ? 0.5 : $0 / 2 }
      .map { ($0 * 32_768).rounded() / 32_768 }
  }

  private func bytes(_ samples: [Double]) -> [UInt8] {
    SourceFeedTests.bytes(samples.map { Int16($0 * 32_768) })
  }

  @Test func aClientIsHeardSeenAndTold() throws {
    let meeting = try Meeting()
    let control = try TestClient(meeting.path, #"{"control":1,"events":true}"#).answered()
    let observer = try TestClient(
      meeting.path,
      #"{"observe":"before-mixing","rate":8000,"channels":1,"samplesPerCall":800}"#)
    #expect(
      observer.readLine()
        == #"{"schema":1,"ok":true,"observe":"before-mixing","encoding":"s16","sources":{}}"#)
    let samples = loud(4_000, seed: 1)
    let client = try TestClient(meeting.path, #"{"join":"anna","group":"room","rate":8000}"#)
    #expect(client.readLine() == #"{"schema":1,"ok":true,"join":"anna","latency":100}"#)
    try client.send(bytes(samples))
    client.finish()
    #expect(
      control.readLine()?.hasPrefix(
        #"{"schema":1,"event":"joined","source":"anna","group":"room","rate":8000,"channels":1"#)
        == true)
    #expect(
      control.readLine()?.hasPrefix(#"{"schema":1,"event":"left","source":"anna""#) == true)
    #expect(meeting.end() == samples)
    let frames = try ClientFrame.frames(observer.readToEnd())
    let payload = frames.filter { $0.flags != .line }.flatMap(\.payload)
    #expect(payload == bytes(samples))
    #expect(frames.first?.line.contains(#""id":"anna","group":"room""#) == true)
    #expect(frames.last?.flags == .last)
    #expect(control.readToEnd().isEmpty)
  }

  /// A gap between packets is counted and reported like other silence.
  @Test func aGapBetweenPacketsIsMissing() throws {
    let meeting = try Meeting()
    let control = try TestClient(meeting.path, #"{"control":1,"events":true}"#).answered()
    let client = try TestClient(meeting.path, #"{"join":"anna","rate":8000,"framing":"packets"}"#)
      .answered()
    let samples = loud(1_600, seed: 5)
    try client.send(PacketReaderTests.header(0, 1_600) + bytes(Array(samples[..<800])))
    try client.send(PacketReaderTests.header(1_200, 1_600) + bytes(Array(samples[800...])))
    client.finish()
    var expected = samples
    expected.insert(contentsOf: repeatElement(0, count: 400), at: 800)
    #expect(meeting.end() == expected)
    let lines = String(decoding: control.readToEnd(), as: UTF8.self).split(separator: "\n")
    let start = try #require(
      lines.first?.split(separator: #""start":"#).last?.prefix { $0.isNumber })
    let place = (Int(start) ?? 0) + 800
    #expect(
      lines.contains(
        #"{"schema":1,"event":"gap","source":"anna","position":\#(place),"samples":400,"rate":8000}"#
      ))
    #expect(lines.last?.contains(#""samples":1600,"missing":400,"#) == true)
  }

  /// A missing stream can neither be observed nor joined.
  @Test func whatIsNotThereIsRefused() throws {
    let meeting = try Meeting()
    let host = try TestClient(meeting.path, #"{"join":"host","rate":8000}"#).answered()
    try host.send(bytes([0.5]))
    let observer = try TestClient(meeting.path, #"{"observe":"record"}"#)
    #expect(
      observer.readLine()
        == #"{"schema":1,"ok":false,"error":"cannot observe 'record': the session has no local source"}"#
    )
    host.finish()
    _ = meeting.end()
    let alone = try Meeting(sums: false)
    defer {
      alone.control.requestStop(.abandon)
      _ = alone.end()
    }
    // Known once the session runs; until then a client is accepted, and refused afterwards.
    let control = try TestClient(alone.path, #"{"control":1}"#).answered()
    var status: String?
    repeat {
      try control.send(Array("{\"status\":true}\n".utf8))
      status = control.readLine()
    } while status?.contains("local") == false
    let guest = try TestClient(alone.path, #"{"join":"anna","rate":8000}"#)
    #expect(
      guest.readLine()
        == #"{"schema":1,"ok":false,"error":"cannot add source 'anna': the session sums nothing; open the session, or add a remote source before it runs"}"#
    )
  }

  @Test func theSameIDMayJoinAgain() throws {
    let meeting = try Meeting()
    // A client that stays keeps the session open; its sample never overlaps anna's.
    let host = try TestClient(meeting.path, #"{"join":"host","rate":8000}"#).answered()
    try host.send(bytes([0]))
    let control = try TestClient(meeting.path, #"{"control":1,"events":true}"#).answered()
    for stay in 0..<2 {
      let client = try TestClient(meeting.path, #"{"join":"anna","rate":8000,"latency":0}"#)
      #expect(client.readLine()?.contains(#""ok":true"#) == true, "stay \(stay)")
      try client.send(bytes(loud(100, seed: 2)))
      client.finish()
      while let line = control.readLine() {
        if line.contains(#""event":"left","source":"anna""#) { break }
      }
    }
    host.finish()
    let heard = meeting.end()
    let anna = loud(100, seed: 2)
    let starts = heard.indices.filter { heard[$0...].starts(with: anna) }
    #expect(starts.count == 2)
  }

  @Test func commandsReachTheSession() throws {
    let wasSplit = Box(0)
    let meeting = try Meeting { wasSplit.value += 1 }
    let control = try TestClient(meeting.path, #"{"control":1}"#).answered()
    func command(_ line: String) throws -> String? {
      try control.send(Array((line + "\n").utf8))
      return control.readLine()
    }
    let client = try TestClient(meeting.path, #"{"join":"anna","rate":8000}"#).answered()
    #expect(try command(#"{"split":true}"#) == #"{"schema":1,"ok":true}"#)
    #expect(wasSplit.value == 1)
    #expect(try command(#"{"set":"anna","gain":-6,"muted":true}"#) == #"{"schema":1,"ok":true}"#)
    #expect(
      try command(#"{"set":"ben","gain":-6}"#)
        == #"{"schema":1,"ok":false,"error":"cannot set the gain of 'ben': there is no such source"}"#
    )
    try client.send(bytes(loud(2_000, seed: 3)))
    var status: String?
    repeat {
      status = try command(#"{"status":true}"#)
    } while status?.contains(#""source":"anna""#) != true
    #expect(status?.contains(#""gain":-6.0,"muted":true"#) == true)
    #expect(
      try command(#"{"set":"anna","muted":"everywhere"}"#) == #"{"schema":1,"ok":true}"#)
    // Its removal ends its connection.
    #expect(try command(#"{"remove":"anna"}"#) == #"{"schema":1,"ok":true}"#)
    #expect(client.readToEnd().isEmpty)
    // A change of gain takes 10 ms of sound, also at the beginning of a stream.
    #expect(meeting.end().count <= 80)
  }

  /// An editing client has its time for every frame, even if a source sent everything at once.
  @Test func aBurstIsEditedFromItsFirstSample() throws {
    let meeting = try Meeting()
    let editor = try TestClient(
      meeting.path,
      #"{"observe":"before-mixing","mode":"read-write","rate":8000,"channels":1,"#
        + #""samplesPerCall":80,"latency":2000}"#
    ).answered()
    let editing = Thread {
      while true {
        let header = editor.read(32)
        guard header.count == 32 else { return }
        let size = Int(header[16]) | Int(header[17]) << 8 | Int(header[18]) << 16
        let payload = editor.read(size)
        // Lines are not answered; every frame is answered with silence.
        if header[24] & 8 == 0 { try? editor.send(Array(repeating: 0, count: payload.count)) }
      }
    }
    editing.start()
    let client = try TestClient(meeting.path, #"{"join":"anna","rate":8000}"#).answered()
    try client.send(bytes(loud(24_000, seed: 4)))
    client.finish()
    // The end of a stream does not wait for its last answers.
    #expect(meeting.end().count < 2_000)
  }

  /// Reported faults: samples of the sum beyond full scale, late samples, and half a sample at the end.
  @Test func whatGoesWrongIsTold() throws {
    let meeting = try Meeting()
    let control = try TestClient(meeting.path, #"{"control":1,"events":true}"#).answered()
    let late = try TestClient(meeting.path, #"{"join":"late","rate":8000,"framing":"packets"}"#)
      .answered()
    let loud = try TestClient(meeting.path, #"{"join":"loud","rate":8000,"encoding":"f32"}"#)
      .answered()
    // 2.0 and 1.0: one of them is beyond full scale.
    try loud.send([0, 0, 0, 0x40, 0, 0, 0x80, 0x3F, 7])
    loud.finish()
    try late.send(PacketReaderTests.header(10, 4) + [0, 0, 0, 0])
    try late.send(PacketReaderTests.header(9, 6) + [0, 0, 0, 0, 0, 0])
    late.finish()
    _ = meeting.end()
    var events: Set<String> = []
    while let line = control.readLine() { events.insert(line) }
    #expect(events.contains(#"{"schema":1,"event":"broken","source":"loud"}"#))
    #expect(
      events.contains(#"{"schema":1,"event":"clipped","position":"playback","samples":1}"#))
    #expect(
      events.contains(#"{"schema":1,"event":"late","source":"late","samples":3,"rate":8000}"#))
  }

  @Test func stopEndsTheSession() throws {
    let meeting = try Meeting()
    let control = try TestClient(meeting.path, #"{"control":1}"#).answered()
    try control.send(Array("{\"stop\":true}\n".utf8))
    #expect(control.readLine() == #"{"schema":1,"ok":true}"#)
    #expect(meeting.end() == [])
    #expect(!FileManager.default.fileExists(atPath: meeting.path))
  }
}
