// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// The device thread of a running command allocates nothing and takes no lock. The compiler proves that except for the
/// calls into C; these tests count there too. See Tests/AllocationCounter/counter.c.
@Suite(.needsVirtualCard) struct DeviceThreadTests {
  private static let counter = VirtualCard.folder.appending(path: "allocation-counter.so").path

  /// An observer gets every period at once: a thread without one waits too seldom to be watched.
  private static func listening(at position: String) -> String { "--observe \(position):gain=0" }

  /// Returns the events of the program itself, and the counts of the last run.
  private func counts(
    _ bench: CardBench, _ command: String, _ variable: String = "LIBASOUND_THREAD_SAFE=1"
  ) throws -> (own: String, [String: Int]) {
    let run = try bench.pipeline(
      "\(variable) ALLOCATION_COUNTER_LOG=counts.log LD_PRELOAD='\(Self.counter)' rawaudio \(command)"
    )
    // A busy machine can add notes of late calls.
    try run.requireSuccess()
    let lines = String(decoding: try bench.bytes(of: "counts.log"), as: UTF8.self)
      .split(separator: "\n")
    var counts: [String: Int] = [:]
    for word in lines.last?.split(separator: " ") ?? [] {
      let parts = word.split(separator: "=")
      if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
    }
    return (lines.dropLast().joined(separator: "\n"), counts)
  }

  /// The card has a clock here, because a thread that never waits is not watched.
  @Test(arguments: ["card", "default"])
  func neitherAllocatesNorLocks(device: String) throws {
    let bench = try CardBench(["SPEED": "1"])
    let recording = try counts(
      bench, "capture -D \(device) -d 0.8 -o take.wav \(Self.listening(at: "record"))")
    #expect(recording.own == "")
    #expect(recording.1["own"] == 0)
    #expect(recording.1["library_allocations"] == 0)
    #expect(try #require(recording.1["waits"]) > 20)
    let playback = try counts(bench, "play -D \(device) take.wav \(Self.listening(at: "playback"))")
    #expect(playback.own == "")
    #expect(playback.1["own"] == 0)
    #expect(playback.1["library_allocations"] == 0)
    #expect(try #require(playback.1["waits"]) > 20)
  }

  /// libasound takes an uncontended lock of the PCM in every call. A setting turns that lock off, and then none is
  /// left. This also shows that the counter counts.
  @Test func onlyTheLibraryLocks() throws {
    let bench = try CardBench(["SPEED": "1"])
    let usual = try counts(
      bench, "capture -D card -d 0.5 -o take.wav \(Self.listening(at: "record"))")
    #expect(try #require(usual.1["library_locks"]) > 0)
    let bare = try counts(
      bench, "capture -D card -d 0.5 -o bare.wav \(Self.listening(at: "record"))",
      "LIBASOUND_THREAD_SAFE=0")
    #expect(bare.1["library_locks"] == 0)
    #expect(bare.1["own"] == 0)
  }
}
