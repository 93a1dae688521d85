// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The thread that writes files and pipes for a session, so that no other thread waits for a slow disk.
///
/// ``BackgroundSink``s and `BackgroundLines` hand it samples and lines through lock-free rings; one writer serves any
/// number of them in turn. It belongs to the thread that made it and outlives all of them, because they keep it alive.
/// The thread ends with this object.
public final class BackgroundWriter {
  private let loop = Loop()
  private let thread: SystemThread

  /// Starts the thread.
  ///
  /// - Throws: `unavailable` if the system grants no more threads.
  public init() throws(AudioError) {
    let loop = loop
    thread = try SystemThread(named: "background writer") { loop.run() }
  }

  deinit {
    loop.end()
    // Every lane is closed, except one whose reader has stalled: then the thread stays in that write.
    _ = thread.join(atMost: .milliseconds(1_000))
  }

  /// Begins to empty `lane`.
  ///
  /// - Parameter isLive: whether the lane drops units instead of waiting for room.
  func add(_ lane: BackgroundLane, isLive: Bool) {
    loop.add(lane, isLive: isLive)
  }

  /// Whether the thread polls the live lanes, which then need not wake it.
  var isLooking: Bool { loop.isLooking.load(ordering: .relaxed) }

  /// Wakes the thread after units were handed over.
  func signal() {
    loop.wakeup.signal()
  }

  private final class Loop: Sendable {
    let wakeup = Wakeup()
    /// Lanes that the thread has not seen yet.
    private let newcomers = Mutex<[(lane: BackgroundLane, isLive: Bool)]>([])
    private let isEnding = Atomic(false)
    /// With many live lanes, a wake-up for each block would cost more than writing it.
    let isLooking = Atomic(false)
    private static let mostAwaited = 16
    /// The polling interval in milliseconds.
    private static let lookingInterval = 20
    /// The longest wait in milliseconds: a little more than the interval between updates of a recording. So a recording
    /// whose device stands still is brought up to date in time; for other updates the thread is woken.
    private static let longestWait = 550

    func add(_ lane: BackgroundLane, isLive: Bool) {
      newcomers.withLock { $0.append((lane, isLive)) }
      wakeup.signal()
    }

    func end() {
      isEnding.store(true, ordering: .releasing)
      wakeup.signal()
    }

    func run() {
      var lanes: [(lane: BackgroundLane, isLive: Bool)] = []
      while !isEnding.load(ordering: .acquiring) {
        newcomers.withLock { lanes += $0.takeAll() }
        var hasMoved = false
        for (lane, _) in lanes where lane.empty() { hasMoved = true }
        lanes.removeAll { $0.lane.isClosed }
        guard !hasMoved else { continue }
        for (lane, _) in lanes { lane.rest() }
        let isLooking = lanes.count { $0.isLive } > Self.mostAwaited
        self.isLooking.store(isLooking, ordering: .relaxed)
        wakeup.wait(atMost: .milliseconds(isLooking ? Self.lookingInterval : Self.longestWait))
      }
    }
  }
}

/// The behaviour if audio or text comes faster than the background writer can write it.
@nonexhaustive
public enum BackgroundOverflow: Sendable, Hashable {
  /// The session waits for room: nothing is lost. For sessions without a clock.
  case wait
  /// The audio or text is dropped and counted: nothing waits. For live sessions.
  case drop
}
