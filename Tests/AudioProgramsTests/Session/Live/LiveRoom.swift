// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// An open session of five seconds without a device.
final class LiveRoom {
  let session = Session()
  let time = VirtualTime()
  let heard = CollectingSink(precision: .double)
  private(set) var joined: [Participant] = []
  private(set) var left: [Participant] = []
  private(set) var failures: [AudioError] = []
  private(set) var muted: [Participant] = []
  private(set) var gaps: [SessionEvent.Gap] = []
  private var plans: [(milliseconds: Int, action: () throws -> Void)] = []
  private var begin: MonotonicTime?

  init(end: SessionEnd = .onRequest, seconds: Int? = 5) throws {
    session.time = time
    session.end = end
    session.mixSampleRate = 48_000
    session.mixChannelCount = 1
    session.duration = seconds.map { .time(.seconds($0)) }
    try session.setSink(heard, at: .playback)
    session.onEvent = { [unowned self] event in
      switch event {
      case .joined(let participant): joined.append(participant)
      case .left(let participant, let reason):
        left.append(participant)
        if let reason { failures.append(reason) }
      case .gap(_, let gap): gaps.append(gap)
      case .muted(let participant): muted.append(participant)
      case .unmuted, .speech: break
      }
    }
    time.onWait = { [unowned self] in
      let passed = time.now.elapsed(since: begin ?? time.now)
      begin = begin ?? time.now
      while let next = plans.first, passed >= .milliseconds(next.milliseconds) {
        plans.removeFirst()
        do { try next.action() } catch { Issue.record(error) }
      }
    }
  }

  deinit {
    time.onWait = {}
    session.onEvent = nil
  }

  /// Plans an action after so many milliseconds; in order.
  func after(_ milliseconds: Int, _ action: @escaping () throws -> Void) {
    plans.append((milliseconds, action))
  }

  func source(
    _ samples: [Double], rate: Int = 48_000, pause: (after: Int, samplesPerChannel: Int)? = nil
  ) throws -> VirtualLiveSource {
    let source = try VirtualLiveSource(samples, rate: rate, time)
    source.pause = pause
    return source
  }

  /// Returns silence with samples at their places.
  func sum(_ parts: [(start: Int64, samples: [Double])]) -> [Double] {
    var sum = Array(repeating: 0.0, count: 240_000)
    for part in parts {
      sum.add(part.samples, at: Int(part.start))
    }
    return sum
  }
}
