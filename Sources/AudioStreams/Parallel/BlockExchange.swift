// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A thread that reads blocks of bytes ahead, or writes them while the next ones are made.
///
/// Blocks circulate: one is handed over and another one comes back, without a copy. Session thread only, except for the
/// work itself.
package final class BlockExchange {
  /// Fills or empties a block; returns whether there is more to do.
  package typealias Work = (ByteQueue) throws(AudioError) -> Bool

  private let lane: Lane
  private let thread: SystemThread
  private var hasEnded = false

  /// - Parameters:
  ///   - name: the thread's name in errors.
  ///   - todo: the first blocks for the work.
  ///   - done: blocks that ``exchange(_:)`` returns at once.
  ///   - work: called on the thread, for one block after the other, until it fails or returns false. Its objects belong
  ///     to the thread until ``end()`` has returned.
  /// - Throws: `unavailable` if the system grants no thread.
  package init(
    named name: String, todo: [ByteQueue], done: [ByteQueue], work: @escaping Work
  ) throws(AudioError) {
    let lane = Lane(todo: todo.map(Block.init), done: done.map(Block.init), work: work)
    self.lane = lane
    thread = try SystemThread(named: name) { lane.run() }
  }

  deinit { end() }

  /// Hands `block` over, if there is one, then waits for the next finished block and takes it.
  ///
  /// - Throws: the error of the work, after all earlier blocks are taken.
  /// - Returns: nil if no block is left and none will come.
  package func exchange(_ block: ByteQueue?) throws(AudioError) -> ByteQueue? {
    if let block { lane.put(Block(queue: block)) }
    return try lane.take()?.queue
  }

  /// Waits until all blocks that were handed over are done.
  ///
  /// - Throws: the error of the work.
  package func drain() throws(AudioError) { try lane.drain() }

  /// Ends the thread once its present block is done; waiting blocks are left. A second call does nothing.
  package func end() {
    if hasEnded { return }
    hasEnded = true
    lane.close()
    _ = thread.join(atMost: .seconds(Int64.max / 1_000_000_000))
  }

  private struct Block: @unchecked Sendable {
    let queue: ByteQueue
  }

  private final class Lane: Sendable {
    private struct Content {
      var todo: [Block]
      var done: [Block]
      var isWorking = false
      var failure: AudioError?
      /// Whether no more work will be done.
      var hasEnded = false
    }

    private let content: Mutex<Content>
    private nonisolated(unsafe) let work: Work
    private let offered = ProgressSignal()
    private let finished = ProgressSignal()

    init(todo: [Block], done: [Block], work: @escaping Work) {
      content = Mutex(Content(todo: todo, done: done))
      unsafe self.work = work
    }

    func put(_ block: Block) {
      content.withLock { $0.todo.append(block) }
      offered.notify()
    }

    func take() throws(AudioError) -> Block? {
      _ = finished.wait(atMost: nil) {
        content.withLock { !$0.done.isEmpty || $0.hasEnded }
      }
      let (block, failure) = content.withLock { content in
        content.done.isEmpty
          ? (nil, content.failure) : (content.done.removeFirst(), nil as AudioError?)
      }
      if let failure { throw failure }
      return block
    }

    func drain() throws(AudioError) {
      _ = finished.wait(atMost: nil) {
        content.withLock { $0.hasEnded || $0.todo.isEmpty && !$0.isWorking }
      }
      if let failure = content.withLock({ $0.failure }) { throw failure }
    }

    func close() {
      content.withLock { $0.hasEnded = true }
      offered.notify()
    }

    func run() {
      while let block = next() {
        var failure: AudioError?
        var goesOn = false
        do { goesOn = try unsafe work(block.queue) } catch { failure = error }
        content.withLock { content in
          content.isWorking = false
          content.failure = failure
          // A block on which the work failed holds no data.
          if failure == nil { content.done.append(block) }
          if !goesOn { content.hasEnded = true }
        }
        finished.notify()
      }
      finished.notify()
    }

    private func next() -> Block? {
      _ = offered.wait(atMost: nil) {
        content.withLock { !$0.todo.isEmpty || $0.hasEnded }
      }
      return content.withLock { content in
        if content.hasEnded || content.todo.isEmpty { return nil }
        content.isWorking = true
        return content.todo.removeFirst()
      }
    }
  }
}
