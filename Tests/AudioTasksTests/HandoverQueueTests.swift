// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioTasks

@Suite struct HandoverQueueTests {
  private func append(
    _ count: Int, of source: SourceID? = nil, to queue: HandoverQueue<AudioFrameCopy<Float>>
  ) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    var samples: [Float] = [0.5]
    for position in 0..<count {
      queue.append(
        AudioFrame(
          samples: samples.mutableSpan, format: format, samplePosition: Int64(position),
          isPartial: false, source: source, group: nil))
    }
  }

  /// The frames of all sources stay in order; each states those of its own source that were dropped before it.
  @Test func everySourceHasItsShare() async throws {
    let queue = HandoverQueue<AudioFrameCopy<Float>>(capacity: 2)
    try append(5, of: "a", to: queue)
    try append(1, of: "b", to: queue)
    #expect(await queue.next(isolation: nil)?.source == "a")
    try append(1, of: "b", to: queue)
    try append(2, of: "a", to: queue)
    queue.end()
    var rest: [AudioFrameCopy<Float>] = []
    while let frame = await queue.next(isolation: nil) { rest.append(frame) }
    #expect(rest.map(\.source) == ["a", "b", "b", "a"])
    #expect(rest.map(\.droppedFrames) == [0, 0, 0, 3])
    #expect(queue.dropped == 4)
  }

  /// A missing or late reader does not hold up the session for ever.
  @Test func nobodyIsWaitedForWhereNobodyIterates() async throws {
    let queue = HandoverQueue<AudioFrameCopy<Float>>(capacity: 4, patience: .milliseconds(1))
    try append(4, to: queue)
    // Returns.
    queue.waitForRoom { false }
    try append(6, to: queue)
    queue.end()
    #expect(queue.dropped == 6)
    for position in 0..<4 {
      #expect(await queue.next(isolation: nil)?.samplePosition == Int64(position))
    }
    #expect(await queue.next(isolation: nil) == nil)
  }

  /// The queue waits for a reader, unless the session is asked to abandon its work.
  @Test func anAbandonedSessionWaitsForNobody() throws {
    let queue = HandoverQueue<AudioFrameCopy<Float>>(capacity: 1, patience: .zero)
    queue.addReader()
    try append(1, to: queue)
    var asked = 0
    queue.waitForRoom {
      asked += 1
      return asked == 3
    }
    #expect(asked == 3)
  }

  /// The queue does not wait for a reader that left, until another one iterates.
  @Test func whoLeavesIsNotWaitedFor() throws {
    let queue = HandoverQueue<AudioFrameCopy<Float>>(capacity: 1, patience: .seconds(20))
    queue.addReader()
    try append(1, to: queue)
    queue.removeReader()
    var asked = 0
    func isTired() -> Bool {
      asked += 1
      return asked == 3
    }
    queue.waitForRoom(unless: isTired)
    #expect(asked == 1)
    queue.addReader()
    queue.waitForRoom(unless: isTired)
    #expect(asked == 3)
  }
}
