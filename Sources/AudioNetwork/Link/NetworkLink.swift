// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Everything that the thread of the network and the session thread share.
final class NetworkLink: Sendable {
  /// The state of the sender, as the network's thread sees it.
  enum Presence: Sendable, Equatable {
    case present
    /// It is waited for, for this reason.
    case away(String)
    /// Nothing comes any more, for this reason.
    case ended(AudioError)
  }

  /// News for the session thread.
  enum News: Sendable {
    case notice(LiveNotice)
    /// An attempt to reach the sender again has failed.
    case failure(AudioError)
  }

  private struct State {
    var presence = Presence.present
    var news: [News] = []
    var drift: ClockDrift?
  }

  /// The longest list of news that are not taken.
  private static let mostNews = 64

  let payload: PayloadFormat
  /// The layout of the samples in the ring.
  let layout: SampleLayout
  let ring: SampleRing
  /// The gaps that the session thread has not taken yet.
  let gaps = RealTimeQueue<GapMark>(capacity: 4_096)
  let session: Wakeup
  let statedTime: StatedTime?
  /// How many samples per channel wake the session.
  let worth: Int
  let wakeEvent: WakeEvent
  /// Samples per channel that went through the ring.
  let moved = Atomic<Int>(0)
  let losses = Atomic<Int>(0)
  let overflows = Atomic<Int>(0)
  let overflowed = Atomic<Int>(0)
  private let arrival: Atomic<Int>
  private let stopFlag: StopFlag
  private let isClockWatched = Atomic<Bool>(false)
  private let clockReadings = RealTimeQueue<ClockReading>(capacity: 256)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - ring: in samples per channel.
  ///   - worth: how many samples per channel wake the session.
  init(
    _ payload: PayloadFormat, _ layout: SampleLayout, ring: Int, worth: Int, session: Wakeup,
    stopFlag: StopFlag, _ statedTime: StatedTime?
  ) throws(AudioError) {
    self.statedTime = statedTime
    self.stopFlag = stopFlag
    self.payload = payload
    self.layout = layout
    self.ring = SampleRing(
      capacity: ring, sampleFrameSize: layout.bytesPerSample * payload.format.channelCount,
      isTouched: false)
    self.worth = worth
    self.session = session
    wakeEvent = try WakeEvent()
    arrival = Atomic(MonotonicTime.now.nanoseconds)
  }

  /// When the last packet came, or the stream began. Any thread.
  var lastArrival: MonotonicTime {
    get { MonotonicTime(nanoseconds: arrival.load(ordering: .relaxed)) }
    set { arrival.store(newValue.nanoseconds, ordering: .relaxed) }
  }

  var isToStop: Bool { stopFlag.isSet }

  /// Session thread only.
  func stop() {
    stopFlag.set()
    wakeEvent.signal()
  }

  var presence: Presence {
    get { state.withLock { $0.presence } }
    set {
      state.withLock { $0.presence = newValue }
      session.signal()
    }
  }

  var drift: ClockDrift? {
    get { state.withLock { $0.drift } }
    set { state.withLock { $0.drift = newValue } }
  }

  /// Network's thread only.
  func tell(_ news: News) {
    state.withLock { if $0.news.count < Self.mostNews { $0.news.append(news) } }
    session.signal()
  }

  /// Session thread only.
  func takeNews() -> [News] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  /// Starts the readings of the clock. Session thread only.
  func watchClock() { isClockWatched.store(true, ordering: .releasing) }

  /// Network's thread only.
  func note(_ reading: ClockReading) {
    if isClockWatched.load(ordering: .acquiring) { clockReadings.append(reading) }
  }

  /// The latest reading since the last call; nil if there is none. Session thread only.
  func latestClockReading() -> ClockReading? {
    var latest: ClockReading?
    while let reading = clockReadings.takeFirst() { latest = reading }
    return latest
  }
}

/// The request to end the reception. Any thread.
final class StopFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
