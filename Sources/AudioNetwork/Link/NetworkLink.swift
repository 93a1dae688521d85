// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Everything that the thread of the network and the session thread share.
final class NetworkLink: RingOwner {
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
  }

  /// The longest list of news that are not taken.
  private static let mostNews = 64

  let payload: PayloadFormat
  /// The layout of the samples in the ring.
  let layout: SampleLayout
  let live: LiveRing
  let statedTime: StatedTime?
  let wakeEvent: WakeEvent
  private let stopFlag: StopFlag
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
    let samples = SampleRing(
      capacity: ring, sampleFrameSize: layout.bytesPerSample * payload.format.channelCount,
      isTouched: false)
    live = LiveRing(ring: samples, session: session, worth: worth, gapCapacity: 4_096)
    wakeEvent = try WakeEvent()
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
      live.wakeSession()
    }
  }

  /// Network's thread only.
  func tell(_ news: News) {
    state.withLock { if $0.news.count < Self.mostNews { $0.news.append(news) } }
    live.wakeSession()
  }

  /// Session thread only.
  func takeNews() -> [News] { state.withLock { $0.news.takeAll() } }
}

/// The request to end the reception. Any thread.
final class StopFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
