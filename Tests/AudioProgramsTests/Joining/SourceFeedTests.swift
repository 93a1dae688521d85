// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioPrograms

/// A client's bytes through its link into a source's samples.
@Suite struct SourceFeedTests {
  /// Both ends of a link: the client's and the session's.
  final class Stream {
    let link: SourceLink
    let source: JoinedSource
    var feed: SourceFeed

    init(_ line: String) throws {
      guard case .join(let request) = try FirstLine(line.utf8) else { throw Unexpected() }
      link = SourceLink(request)
      source = JoinedSource(link)
      source.isPaced = false
      feed = SourceFeed(link, request.framing)
      _ = try source.initialize(proposing: nil, wakeup: Wakeup())
      try source.start()
    }

    func send(_ bytes: [UInt8]) throws {
      #expect(bytes.count <= feed.room)
      try unsafe feed.take(bytes.span.bytes)
    }

    /// At most `count` samples, across all channels.
    func read(_ count: Int = 1_000_000) throws -> (samples: [Float], status: SourceStatus) {
      var status = SourceStatus.pending
      let samples = try [Float](capacity: count) { output throws(AudioError) in
        status = try source.read(into: &output)
      }
      return (samples, status)
    }
  }

  static func bytes(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private static let packets = #"{"join":"a","rate":1000,"framing":"packets"}"#

  private func packet(_ position: UInt64?, _ samples: [Int16]) -> [UInt8] {
    PacketReaderTests.header(position, samples.count * 2) + Self.bytes(samples)
  }

  /// Returns the samples in steps of 16 bits, which are exact.
  private func steps(_ samples: [Float]) -> [Int] { samples.map { Int($0 * 32_768) } }

  /// After a pause a client is late by its latency again: the session gets that as silence.
  @Test func theSilenceOfItsLatencyIsTold() throws {
    let stream = try Stream(#"{"join":"a","rate":1000,"latency":100}"#)
    try stream.send(Self.bytes([1, 2, 3]))
    #expect(steps(try stream.read().samples) == [1, 2, 3])
    #expect(stream.source.takeFilled().isEmpty)
    stream.source.silenceStoodIn(samplesPerChannel: 50)
    try stream.send(Self.bytes([4]))
    #expect(steps(try stream.read(60).samples) == Array(repeating: 0, count: 60))
    #expect(steps(try stream.read().samples) == Array(repeating: 0, count: 40) + [4])
    #expect(stream.source.takeFilled() == [53..<153])
    #expect(stream.source.takeFilled().isEmpty)
  }

  @Test(arguments: [1, 2, 3, 5, 1_000]) func bareSamplesWhereverTheyAreCut(_ length: Int) throws {
    let stream = try Stream(#"{"join":"a","rate":1000,"channels":2}"#)
    let samples = (0..<600).map { Int16($0 * 100 - 30_000) }
    let bytes = Self.bytes(samples)
    var heard: [Float] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
      try stream.send(Array(bytes[start..<min(start + length, bytes.count)]))
      heard += try stream.read(64).samples
    }
    heard += try stream.read().samples
    #expect(steps(heard) == samples.map(Int.init))
    #expect(!stream.feed.isBroken)
    guard case .pending = try stream.read().status else { throw Unexpected() }
    stream.link.finish()
    guard case .ended = try stream.read().status else { throw Unexpected() }
  }

  /// A ring fills to the last byte, wraps many times and loses nothing.
  @Test func theRingIsFullAt4Seconds() throws {
    let stream = try Stream(#"{"join":"a","rate":1000,"encoding":"s24","channels":3}"#)
    #expect(stream.feed.room == 4_000 * 9)
    var random = SeededRandom(seed: 7)
    var (sent, heard) = ([UInt8](), [Float]())
    for _ in 0..<200 {
      let count = min(stream.feed.room, Int.random(in: 0...9_001, using: &random))
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      try stream.send(bytes)
      sent += bytes
      heard += try stream.read(3 * Int.random(in: 1...900, using: &random)).samples
    }
    heard += try stream.read().samples
    let whole = sent.count / 9 * 3
    let expected = (0..<whole).map { index in
      let word = sent[index * 3..<index * 3 + 3].reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
      return Float((word << 8) >> 8) / 8_388_608
    }
    #expect(heard == expected)
    #expect(stream.feed.isBroken == !sent.count.isMultiple(of: 9))
  }

  @Test func aFormatOfManyBytesHasAShorterRing() throws {
    let stream = try Stream(#"{"join":"a","rate":768000,"channels":64,"encoding":"f64"}"#)
    #expect(stream.feed.room == 1 << 26)
  }

  @Test func positionsLeaveGapsAndDropWhatIsLate() throws {
    let stream = try Stream(Self.packets)
    // The first position is the client's origin.
    try stream.send(packet(1_000, [1, 2]))
    try stream.send(packet(nil, [3]))
    try stream.send(packet(1_005, [6, 7]))
    // Overlaps by two.
    try stream.send(packet(1_005, [-6, -7, 8]))
    // All of it is late.
    try stream.send(packet(1_001, [-2]))
    // An empty packet has no effect.
    try stream.send(packet(9_999, []))
    try stream.send(packet(1_010, [11]))
    try stream.send(packet(nil, [12]))
    #expect(steps(try stream.read().samples) == [1, 2, 3, 0, 0, 6, 7, 8, 0, 0, 11, 12])
    #expect(
      stream.link.statistics
        == SourceStatistics(
          samples: 8, gaps: 2, filledSamplesPerChannel: 4, lateSamplesPerChannel: 3))
  }

  /// Compares with a model that writes each sample to its place.
  @Test(arguments: 0..<30) func randomPackets(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let stream = try Stream(Self.packets)
    var model: [Int] = []
    var heard: [Float] = []
    var late = 0
    for index in 0..<300 {
      let samples = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        Int16.random(in: 1...30_000, using: &random)
      }
      let jump = index == 0 ? 0 : Int.random(in: -20...20, using: &random)
      let position = max(0, model.count + jump)
      let isNext = Bool.random(using: &random)
      let start = isNext ? model.count : position
      if !samples.isEmpty {
        if start > model.count { model += Array(repeating: 0, count: start - model.count) }
        let old = min(model.count - start, samples.count)
        late += old
        model += samples.dropFirst(old).map(Int.init)
      }
      var bytes = packet(isNext ? nil : UInt64(position) + 77, samples)[...]
      if index == 0 { bytes = packet(77, samples)[...] }
      while !bytes.isEmpty {
        let count = Int.random(in: 1...min(bytes.count, 40), using: &random)
        try stream.send(Array(bytes.prefix(count)))
        bytes = bytes.dropFirst(count)
        if Bool.random(using: &random) {
          heard += try stream.read(Int.random(in: 1...50, using: &random)).samples
        }
      }
    }
    heard += try stream.read().samples
    #expect(steps(heard) == model)
    #expect(stream.link.statistics.lateSamplesPerChannel == Int64(late))
  }

  @Test func aJumpOfMoreThanAnHourIsNone() throws {
    let stream = try Stream(Self.packets)
    try stream.send(packet(0, [1]))
    try stream.send(packet(3_600_001, [2]))
    #expect(try stream.read(10_000_000).samples.count == 3_600_002)
    #expect { try stream.send(packet(7_200_003, [3])) } throws: {
      "\($0)" == "cannot take the packet: it begins 3600001 samples after the one before, "
        + "more than an hour"
    }
    // A client may begin at any position.
    let end = try Stream(Self.packets)
    try end.send(packet(.max - 2, [1, 2]) + packet(nil, [3]) + packet(0, [-4]) + packet(nil, [5]))
    #expect(steps(try end.read().samples) == [1, 2, 3, 5])
    #expect(end.link.statistics.lateSamplesPerChannel == 1)
  }

  /// Pending silence stops a client from sending more, as samples do.
  @Test func silenceIsAheadOfTheSessionToo() throws {
    let stream = try Stream(Self.packets)
    try stream.send(packet(0, [1]) + packet(5_000, [2]))
    #expect(stream.feed.room == 0)
    #expect(try stream.read(2_000).samples.count == 2_000)
    #expect(stream.feed.room == 0)
    #expect(try stream.read().samples.count == 3_001)
    #expect(stream.feed.room > 0)
  }

  /// Any number of gaps never exceeds the promised room.
  @Test func gapsWithoutEnd() throws {
    let stream = try Stream(Self.packets)
    var position: UInt64 = 0
    var heard = 0
    for _ in 0..<50 {
      var bytes: [UInt8] = []
      while bytes.count + 18 <= stream.feed.room, bytes.count < 10_000 {
        bytes += packet(position, [1])
        position += 2
      }
      try stream.send(bytes)
      heard += try stream.read().samples.count { $0 != 0 }
    }
    #expect(heard == Int(position / 2))
    #expect(heard > 1_000)
  }

  /// A client after a rest: with positions its samples keep their places, and late ones are dropped.
  @Test func positionsHoldWhereSilenceStoodIn() throws {
    let stream = try Stream(Self.packets)
    try stream.send(packet(10, [1, 2]))
    #expect(steps(try stream.read().samples) == [1, 2])
    stream.source.silenceStoodIn(samplesPerChannel: 3)
    // Two too late, then one in time.
    try stream.send(packet(12, [-3, -4]) + packet(14, [-5, 6]))
    #expect(steps(try stream.read().samples) == [6])
    stream.source.silenceStoodIn(samplesPerChannel: 2)
    // Two samples of a gap of three have passed.
    try stream.send(packet(19, [10]))
    #expect(steps(try stream.read().samples) == [0, 10])
    #expect(
      stream.link.statistics
        == SourceStatistics(
          samples: 7, gaps: 1, filledSamplesPerChannel: 1, lateSamplesPerChannel: 3))
  }

  /// Without positions nothing is dropped: the samples follow the silence and the allowed lateness.
  @Test(arguments: [
    #"{"join":"a","rate":1000,"latency":4}"#,
    #"{"join":"a","rate":1000,"latency":4,"framing":"packets"}"#,
  ])
  func samplesWithoutPositionsFollowTheSilence(_ line: String) throws {
    let stream = try Stream(line)
    func send(_ samples: [Int16]) throws {
      try stream.send(line.contains("packets") ? packet(nil, samples) : Self.bytes(samples))
    }
    try send([1, 2])
    #expect(steps(try stream.read().samples) == [1, 2])
    stream.source.silenceStoodIn(samplesPerChannel: 5)
    stream.source.silenceStoodIn(samplesPerChannel: 5)
    #expect(try stream.read().samples.isEmpty)
    try send([3])
    try send([4])
    #expect(steps(try stream.read().samples) == [0, 0, 0, 0, 3, 4])
    #expect(stream.link.statistics == SourceStatistics(samples: 4))
    guard line.contains("packets") else { return }
    // From here on positions count from the stream's new place.
    try stream.send(packet(4, [5]) + packet(6, [7]))
    #expect(steps(try stream.read().samples) == [5, 0, 7])
  }

  /// A burst is read completely, at the pace of its sound.
  @Test func aBurstIsReadAsFastAsItLasts() throws {
    let stream = try Stream(#"{"join":"a","rate":1000}"#)
    stream.source.isPaced = true
    let samples = (0..<300).map { Int16($0) }
    try stream.send(Self.bytes(samples))
    stream.link.finish()
    let begin = MonotonicTime.now
    var heard: [Float] = []
    while true {
      let (more, status) = try stream.read()
      heard += more
      let passed = MonotonicTime.now.elapsed(since: begin) / .milliseconds(1)
      #expect(Double(heard.count) <= 40 + passed * 1.05 + 1)
      if case .ended = status { break }
      usleep(1_000)
    }
    #expect(steps(heard) == samples.map(Int.init))
  }

  /// Held samples are read after `stop`, but an hour of silence is not awaited.
  @Test func stopEndsALongSilence() throws {
    let stream = try Stream(Self.packets)
    try stream.send(packet(0, [1]) + packet(3, [4]) + packet(3_000_000, [5]))
    #expect(stream.link.isWanted)
    stream.source.stop()
    #expect(!stream.link.isWanted)
    #expect(steps(try stream.read().samples) == [1, 0, 0, 4])
    guard case .ended = try stream.read().status else { throw Unexpected() }
  }
}
