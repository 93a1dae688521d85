// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

@Suite struct RealTimeQueueTests {
  /// Far more elements than fit at once, so that the queue reuses its memory.
  @Test(arguments: [1, 3, 256]) func elementsComeInOrderAndUnchanged(capacity: Int) {
    let queue = RealTimeQueue<PushMark>(capacity: capacity)
    var sent = 0
    var received = 0
    while received < 3_000 {
      while queue.append(mark(sent)) { sent += 1 }
      #expect(sent - received == capacity)
      let isFull = !queue.hasRoom
      #expect(isFull)
      for _ in 0..<(sent % capacity + 1) {
        let first = queue.first
        let taken = queue.takeFirst()
        #expect(first.map(values) == values(mark(received)))
        #expect(taken.map(values) == values(mark(received)))
        received += 1
      }
      let hasRoom = queue.hasRoom
      #expect(hasRoom)
    }
  }

  @Test func anEmptyQueueGivesNothing() {
    let queue = RealTimeQueue<Int>(capacity: 2)
    let first = queue.first
    #expect(first == nil)
    let taken = queue.takeFirst()
    #expect(taken == nil)
    queue.append(7)
    queue.removeFirst()
    let later = queue.takeFirst()
    #expect(later == nil)
  }

  private func mark(_ index: Int) -> PushMark {
    PushMark(
      position: index * 1_000_003, rate: index, startsRun: index % 3 == 0, silence: Int64(-index))
  }

  private func values(_ mark: PushMark) -> [Int] {
    [mark.position, mark.rate, mark.startsRun ? 1 : 0, Int(mark.silence)]
  }
}
