// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// The time of day of each sample of a session: by the machine's clock while it is live, or from the time that a file
/// states. Any thread.
final class RunClock: Sendable {
  private struct State {
    var timeline: RecordingTimeline?
    /// The rate of the timeline's positions, in hertz.
    var rate = 1
    /// The samples per channel that have come.
    var count: Int64 = 0
  }

  private let state = Mutex(State())
  private let civilTime: CivilTime

  /// - Parameter civilTime: the zone of ``text(of:at:)``.
  init(in civilTime: CivilTime = .local) { self.civilTime = civilTime }

  /// The session starts, and its samples come while they are recorded, unless a source states another time.
  func begin() {
    state.withLock { state in
      state.timeline =
        state.timeline ?? RecordingTimeline(.system, leadIn: 0, sampleRate: state.rate)
    }
  }

  /// The first sample was taken at a moment, in nanoseconds since 1970.
  func begin(at time: Int64) {
    state.withLock { $0.timeline = RecordingTimeline(.stated(time), leadIn: 0, sampleRate: 1) }
  }

  /// Samples have come. Does nothing unless the session is live.
  func take(_ progress: SessionProgress) {
    let (count, rate) = progress.present ?? (progress.samplesPerChannel, progress.sampleRate)
    state.withLock { state in
      guard let timeline = state.timeline, timeline.isLive else { return }
      if state.rate != rate {
        state.rate = rate
        state.count = 0
        state.timeline = RecordingTimeline(.system, leadIn: 0, sampleRate: rate)
      }
      guard count > state.count else { return }
      _ = state.timeline?.observe(from: state.count, to: count, since: .zero)
      state.count = count
    }
  }

  /// The time of day of a sample of the session, with its zone. Nil if nothing tells the time.
  func text(of position: Int64, at rate: Int) -> String? {
    time(of: position, at: rate).map(civilTime.description)
  }

  /// The present time of day, with its zone.
  var now: String { civilTime.description(of: RecordingClock.Moment.now.realTime) }

  /// The moment of a sample of the session, in nanoseconds since 1970. Nil if nothing tells the time.
  ///
  /// - Parameters:
  ///   - position: in samples per channel at `rate`, from the start of the session.
  ///   - rate: in hertz.
  func time(of position: Int64, at rate: Int) -> Int64? {
    state.withLock { state in
      state.timeline.map { timeline in
        let length = Int128(position) * 1_000_000_000
        return timeline.time(of: 0) + Int64(clamping: length / Int128(max(1, rate)))
      }
    }
  }
}
