// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import AudioStreams

@Suite struct SystemThreadTests {
  @Test func runsItsFunctionToTheEnd() throws {
    let box = Box()
    let thread = try SystemThread(named: "test") { box.value.store(7, ordering: .releasing) }
    #expect(thread.join(atMost: .milliseconds(10_000)))
    #expect(box.value.load(ordering: .acquiring) == 7)
  }

  @Test func aStuckThreadIsLeftBehind() throws {
    let box = Box()
    let thread = try SystemThread(named: "test") {
      while box.value.load(ordering: .acquiring) == 0 {
        box.wakeup.wait(atMost: .milliseconds(1_000))
      }
      box.value.store(2, ordering: .releasing)
      box.ended.signal()
    }
    #expect(!thread.join(atMost: .milliseconds(1)))
    box.value.store(1, ordering: .releasing)
    box.wakeup.signal()
    while box.value.load(ordering: .acquiring) != 2 { box.ended.wait(atMost: .milliseconds(1_000)) }
  }

  private final class Box: Sendable {
    let value = Atomic<Int>(0)
    let wakeup = Wakeup()
    let ended = Wakeup()
  }
}
