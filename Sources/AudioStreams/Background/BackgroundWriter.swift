// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The thread that writes files and pipes for a session, so that nothing else waits for a slow disk.
///
/// ``BackgroundSink``s and `BackgroundLines` hand it what they are given through lock-free rings; one
/// writer serves any number of them in turn. It belongs to the thread that made it and outlives all of
/// them, for they keep it alive. The thread ends with this object.
public final class BackgroundWriter {
  private let loop = Loop()
  private let thread: SystemThread

  /// Starts the thread.
  ///
  /// - Throws: `unavailable` where the system grants no more threads.
  public init() throws(AudioError) {
    let loop = loop
    thread = try SystemThread(named: "background writer") { loop.run() }
  }

  deinit {
    loop.end()
    // Every lane is closed, except one whose reader took nothing any more: then the thread stays in that
    // write.
    _ = thread.join(atMost: .milliseconds(1_000))
  }

  /// Begins to empty `lane`.
  ///
  /// - Parameter isLive: whether nobody waits for it.
  func add(_ lane: BackgroundLane, isLive: Bool) {
    loop.add(lane, isLive: isLive)
  }

  /// Whether the thread looks by itself for what live lanes were handed, which then need not wake it.
  var isLooking: Bool { loop.isLooking.load(ordering: .relaxed) }

  /// Wakes the thread: something was handed over.
  func signal() {
    loop.wakeup.signal()
  }

  private final class Loop: Sendable {
    let wakeup = Wakeup()
    /// Those that the thread has not seen yet.
    private let newcomers = Mutex<[(lane: BackgroundLane, isLive: Bool)]>([])
    private let isEnding = Atomic(false)
    /// With many live lanes a wake-up for each of their blocks would cost more than their bytes.
    let isLooking = Atomic(false)
    private static let mostAwaited = 16
    /// In milliseconds.
    private static let lookingInterval = 20
    /// In milliseconds, so that a recording whose device stands still is brought up to date in time: a little more
    /// than from one update to the next, for which somebody else wakes the thread.
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
        newcomers.withLock { newcomers in
          lanes += newcomers
          newcomers = []
        }
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

/// What happens to audio or text that comes faster than the background writer gets rid of it.
public enum BackgroundOverflow: Sendable, Hashable {
  /// The session waits until there is room: nothing is lost. For sessions without a clock.
  case wait
  /// It is dropped and counted: nothing waits. For live sessions.
  case drop
}
