// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A source half a second ahead is removed from an open session, in virtual time.
@Suite struct RemovalTests {
  private static let rate = 48_000

  private static func joined() throws -> any AudioSource {
    var sender: PushSender?
    return PushSource(
      format: try StreamFormat(sampleRate: rate, channelCount: 1),
      initialize: {
        sender = $0
        return true
      },
      start: {
        let taken = try sender?.send([Float](repeating: 0.5, count: rate / 2))
        #expect(taken == rate / 2)
      })
  }

  /// Returns its length in the sum, in samples per channel, and the number of leave events.
  private func heard(
    removedAfter milliseconds: Int, draining: Bool, file: Bool = false
  ) throws -> (samples: Int, departures: Int) {
    let (session, time, sink) = (Session(), VirtualTime(), CollectingSink(precision: .double))
    session.time = time
    session.end = .onRequest
    session.duration = .time(.seconds(1))
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    try session.setSink(sink, at: .playback)
    var departures = 0
    session.onEvent = { event in
      if case .left(_, let reason) = event {
        departures += 1
        #expect(reason == nil)
      }
    }
    var turns = 0
    session.onProgress = { _ in
      turns += 1
      if turns > 100_000 { session.control.requestStop(.abandon) }
    }
    var begin: MonotonicTime?
    var isRemoved = false
    time.onWait = {
      do {
        if begin == nil {
          try session.live.addRemote(
            file
              ? try GivenSource([Double](repeating: 0.5, count: Self.rate), rate: Self.rate)
              : try Self.joined(), id: "anna")
        }
        let start = begin ?? time.now
        begin = start
        if !isRemoved, time.now.elapsed(since: start) >= .milliseconds(milliseconds) {
          isRemoved = true
          try session.live.remove("anna", draining: draining)
        }
      } catch {
        Issue.record(error)
      }
    }
    _ = try session.run()
    session.onEvent = nil
    session.onProgress = nil
    time.onWait = {}
    #expect(isRemoved)
    return (sink.samples.count { $0 != 0 }, departures)
  }

  /// After 0 ms it is removed in the turn in which it joins.
  @Test(arguments: [0, 200]) func whatWasSentAheadIsHeardToItsEnd(milliseconds: Int) throws {
    let heard = try heard(removedAfter: milliseconds, draining: true)
    #expect(heard.samples == Self.rate / 2)
    #expect(heard.departures == 1)
  }

  @Test(arguments: [0, 200]) func orItIsLetGo(milliseconds: Int) throws {
    let heard = try heard(removedAfter: milliseconds, draining: false)
    #expect(heard.samples < Self.rate / 2)
    #expect((heard.samples > 0) == (milliseconds > 0))
    #expect(heard.departures == 1)
  }

  /// A file has sent nothing ahead.
  @Test func aFileLeavesAtOnceEitherWay() throws {
    let drained = try heard(removedAfter: 200, draining: true, file: true)
    let cut = try heard(removedAfter: 200, draining: false, file: true)
    #expect(drained == cut)
    #expect(cut.samples > 0 && cut.samples < Self.rate)
    #expect(cut.departures == 1)
  }
}
