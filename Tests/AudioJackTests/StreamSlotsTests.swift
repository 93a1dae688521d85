// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import AudioJack

@Suite struct StreamSlotsTests {
  private final class Stream: Sendable {
    let isReleased = Atomic<Bool>(false)
  }

  private final class Shared: Sendable {
    let slots = StreamSlots()
    let passes = CyclePasses()
    let isOver = Atomic<Bool>(false)
    let uses = Atomic<Int>(0)
    let usesOfReleased = Atomic<Int>(0)
  }

  @Test func holdsSixteenStreams() {
    let slots = StreamSlots()
    let streams = (0...StreamSlots.count).map { _ in Stream() }
    var added: [Bool] = []
    for stream in streams { added.append(slots.add(stream)) }
    #expect(added == streams.indices.map { $0 < StreamSlots.count })
    slots.remove(streams[3])
    let emptied = unsafe slots.place(at: 3) == nil
    let isAdded = slots.add(streams[16])
    let isThere = unsafe slots.place(at: 3) == Unmanaged.passUnretained(streams[16]).toOpaque()
    #expect(emptied && isAdded && isThere)
  }

  /// A cycle sees no stream that was removed before the wait: on arm64 only with sequentially consistent slots.
  @Test func noCycleUsesAReleasedStream() throws {
    let shared = Shared()
    let thread = try SystemThread(named: "cycles") {
      while !shared.isOver.load(ordering: .relaxed) {
        shared.passes.begin()
        if let place = unsafe shared.slots.place(at: 0) {
          let stream = unsafe Unmanaged<Stream>.fromOpaque(place).takeUnretainedValue()
          shared.uses.wrappingAdd(1, ordering: .relaxed)
          if stream.isReleased.load(ordering: .relaxed) {
            shared.usesOfReleased.wrappingAdd(1, ordering: .relaxed)
          }
        }
        shared.passes.end()
      }
    }
    let stream = Stream()
    for turn in 1...1_000 {
      stream.isReleased.store(false, ordering: .sequentiallyConsistent)
      let isAdded = shared.slots.add(stream)
      while shared.uses.load(ordering: .relaxed) < turn {}
      shared.slots.remove(stream)
      let hasPassed = shared.passes.waitForPresent(atMost: .seconds(60))
      #expect(isAdded && hasPassed)
      stream.isReleased.store(true, ordering: .sequentiallyConsistent)
    }
    shared.isOver.store(true, ordering: .relaxed)
    #expect(thread.join(atMost: .seconds(60)))
    #expect(shared.usesOfReleased.load(ordering: .relaxed) == 0)
  }
}
