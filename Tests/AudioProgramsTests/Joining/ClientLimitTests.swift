// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPrograms

/// The limits of a listener's clients, with real sockets.
@Suite struct ClientLimitTests {
  private typealias Listening = ClientLoopTests.Listening

  private func refusal(_ message: String) -> String {
    "{\"schema\":1,\"ok\":false,\"error\":\(JSONValue.string(message).compact)}"
  }

  @Test(arguments: [
    (
      #"{"join":"big","rate":768000,"channels":64,"encoding":"f64"}"#,
      "cannot join 'big': 768000 Hz, 64 channels are 49152000 samples a second"
    ),
    (
      #"{"observe":"playback","rate":768000,"channels":64}"#,
      "cannot observe 'playback': 768000 Hz, 64 channels are 49152000 samples a second"
    ),
    // An editor's streams are always converted.
    (
      #"{"observe":"before-mixing","mode":"read-write","rate":96000}"#,
      "cannot observe 'before-mixing': 96000 Hz, 64 channels are 6144000 samples a second"
    ),
  ])
  func tooMuchIsRefused(_ line: String, _ message: String) throws {
    let listening = try Listening()
    let client = try listening.client(line)
    #expect(
      client.readLine()
        == refusal(message + ", and 3072000 is the most for a client; ask for less"))
    #expect(client.readLine() == nil)
    #expect(listening.host.requests.isEmpty)
    #expect(listening.loop.allowance.inUse == 0)
    #expect(listening.end())
  }

  /// A source counts until the session has its last sample, even after its client is gone.
  @Test func allTogether() throws {
    var limits = ClientLimits()
    limits.samplesPerSecond = 8_000
    let listening = try Listening(limits)
    for index in 0..<8 {
      let client = try listening.client(#"{"join":"v\#(index)","rate":8000}"#)
      #expect(client.readLine()?.contains("\"ok\":true") == true)
    }
    while listening.loop.count > 0 { usleep(1_000) }
    func another() throws -> String? {
      try listening.client(#"{"join":"another","rate":8000}"#).readLine()
    }
    #expect(
      try another()
        == refusal(
          "cannot join 'another': all clients together may ask for 64000 samples a second, and 8000 "
            + "more are too many; ask for less"))
    try listening.host.remove("v3", draining: false)
    #expect(try another() == #"{"schema":1,"ok":true,"join":"another","latency":100}"#)
    #expect(listening.end())
  }

  /// A refused request takes nothing from the limit.
  @Test func whatIsRefusedDoesNotCount() throws {
    let listening = try Listening()
    let first = try listening.client(#"{"join":"a","rate":8000}"#)
    _ = first.readLine()
    for _ in 0..<10 {
      let second = try listening.client(#"{"join":"a","rate":768000}"#)
      #expect(second.readLine() == refusal("cannot add source 'a': the id is taken"))
      #expect(second.readLine() == nil)
    }
    #expect(listening.loop.allowance.inUse == 8_000)
    #expect(listening.end())
  }

  /// The number of silent connections is limited; others wait for a free place.
  @Test func onlySoManySayNothing() throws {
    var limits = ClientLimits()
    limits.greetings = 3
    let listening = try Listening(limits)
    let control = try listening.client(#"{"control":1}"#).answered()
    var silent = try (0..<3).map { _ in try listening.client() }
    while listening.loop.count < 4 { usleep(1_000) }
    let waiting = try listening.client(#"{"control":1}"#)
    // Some rounds pass, each with an answer.
    for _ in 0..<20 {
      try control.send(Array("{\"status\":true}\n".utf8))
      #expect(control.readLine() == #"{"schema":1,"ok":true,"sources":[]}"#)
      #expect(listening.loop.count == 4)
    }
    silent.removeLast()
    #expect(waiting.readLine() == #"{"schema":1,"ok":true,"control":1}"#)
    #expect(listening.end())
  }

  /// All come in, even if each round accepts few.
  @Test func manyAtOnce() throws {
    var limits = ClientLimits()
    limits.accepted = 2
    let listening = try Listening(limits)
    let clients = try (0..<100).map { _ in try listening.client(#"{"control":1}"#) }
    for client in clients { #expect(client.readLine() == #"{"schema":1,"ok":true,"control":1}"#) }
    #expect(listening.end())
  }

  /// Clients that edit hold up the session for 40 ms, then for a tenth of the time.
  @Test func editorsShareTheirPatience() {
    let patience = EditorPatience()
    var now = MonotonicTime(nanoseconds: 5_000_000_000)
    func waits() -> Int {
      var count = 0
      while patience.mayWait(at: now) { count += 1 }
      return count
    }
    #expect(waits() == 40)
    now.nanoseconds += 100_000_000
    #expect(waits() == 10)
    now.nanoseconds += 60_000_000_000
    #expect(waits() == 40)
  }
}
