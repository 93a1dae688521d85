// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioCore

@Suite struct EventObserverTests {
  private func lines(_ path: String) throws -> [[String: Any]] {
    try String(decoding: contents(path), as: UTF8.self).split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func everyFrameIsALine() throws {
    let directory = ScratchDirectory()
    let path = directory.file("events")
    let session = Session()
    let group = SourceID("room")
    // Left half of full scale, right silent; then one frame beyond full scale; then a short one.
    var samples: [Double] = []
    for (count, left) in [(441, 0.5), (441, 2), (100, -0.25)] {
      for _ in 0..<count { samples += [left, 0] }
    }
    try session.addRemote(
      try GivenSource(samples, rate: 44_100, channels: 2), id: SourceID("anna"), group: group)
    try session.setSink(NullSink(), at: .playback)
    let events = EventObserver(
      .beforeMixing,
      to: try BackgroundLines(path: path, on: try BackgroundWriter(), overflow: .wait))
    let registration = try session.register(events)
    registration.add({ $0.lateCalls = 3 }, at: .beforeMixing)
    _ = try session.run()
    let first = try String(decoding: contents(path), as: UTF8.self).split(separator: "\n").first
    let expected = #"""
      {"schema":1,"position":"before-mixing","source":"anna","group":"room","index":0,\#
      "samplePosition":0,"renderTime":0,"sampleRate":44100,"samplesPerChannel":441,\#
      "peak":[-6.021,null],"rms":[-6.021,null],"clipped":0,"notANumber":0,"late":3}
      """#
    #expect(first.map(String.init) == expected)
    let lines = try lines(path)
    #expect(lines.map { $0["index"] as? Int } == [0, 1, 2])
    #expect(lines.map { $0["samplePosition"] as? Int } == [0, 441, 882])
    #expect(lines.map { $0["renderTime"] as? Int } == [0, 10, 20])
    #expect(lines.map { $0["samplesPerChannel"] as? Int } == [441, 441, 100])
    #expect(lines.map { $0["clipped"] as? Int } == [0, 441, 0])
    #expect(lines.map { ($0["rms"] as? [Any])?.first as? Double } == [-6.021, 6.021, -12.041])
  }

  @Test func sumsHaveNoSource() throws {
    let directory = ScratchDirectory()
    let path = directory.file("events")
    let session = try Session(local: GivenSource([0, 0]))
    try session.setSink(NullSink(), at: .publish)
    try session.register(
      EventObserver(
        [.record, .mixed],
        to: try BackgroundLines(path: path, on: try BackgroundWriter(), overflow: .wait)))
    _ = try session.run()
    let lines = try lines(path)
    #expect(lines.map { $0["position"] as? String } == ["record", "mixed"])
    #expect(lines.map { $0["source"] as? String } == ["local", nil])
    #expect(lines.allSatisfy { $0["late"] as? Int == 0 && $0["group"] is NSNull })
  }

  @Test func aFullDiskEndsTheSessionWithAnError() throws {
    let session = try Session(local: GivenSource([0, 0]))
    try session.setSink(NullSink(), at: .publish)
    try session.register(
      EventObserver(
        .record,
        to: try BackgroundLines(
          path: "/dev/full", on: try BackgroundWriter(), overflow: .wait)))
    #expect(errorKind { try session.run() } == .inputOutput)
  }
}
