// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Synchronization
import Testing

@Suite struct SampleRingTests {
  /// Two real threads, edge capacities, odd frame sizes: every sample frame comes out once, whole, in order.
  @Test(arguments: [1, 2, 3, 7, 64, 1_000], [1, 3, 8])
  func givesEverySampleFrameOnceInOrder(capacity: Int, size: Int) throws {
    // A ring of one sample frame changes hands at each.
    let total = min(4_000, 400 * capacity)
    let link = RingLink(SampleRing(capacity: capacity, sampleFrameSize: size))
    let writer = try SystemThread(named: "test") { link.write(total) }
    var expected = 0
    var generator = SeededRandom(seed: 1)
    while expected < total {
      let held = unsafe link.ring.readable()
      if held.count % size != 0 || held.count > capacity * size {
        Issue.record("\(held.count) bytes are readable")
      }
      let taken = Int.random(in: 0...held.count / size, using: &generator)
      if taken == 0 { sched_yield() }
      for index in 0..<taken * size {
        let byte = unsafe held[index]
        if byte != RingLink.byte(expected * size + index) {
          Issue.record("byte \(index) of sample frame \(expected) is \(byte)")
          link.isCancelled.store(true, ordering: .relaxed)
          #expect(writer.join(atMost: .milliseconds(10_000)))
          return
        }
      }
      link.ring.pop(taken)
      expected += taken
    }
    #expect(writer.join(atMost: .milliseconds(10_000)))
    #expect(link.ring.filled() == 0)
  }

  @Test func freeAndFilledAddUpToTheCapacity() {
    let ring = SampleRing(capacity: 5, sampleFrameSize: 4)
    #expect(ring.free() == 5)
    for round in 0..<20 {
      let count = min(round % 4, unsafe ring.writable().count / 4)
      ring.push(count)
      #expect(ring.free() + ring.filled() == 5)
      #expect(unsafe ring.readable().count <= ring.filled() * 4)
      ring.pop(min(round % 3, unsafe ring.readable().count / 4))
      #expect(ring.free() + ring.filled() == 5)
    }
  }

  @Test func aFullRingHasNoWritablePart() {
    let ring = SampleRing(capacity: 3, sampleFrameSize: 2)
    ring.push(2)
    ring.pop(1)
    #expect(unsafe ring.writable().count == 2)
    ring.push(1)
    #expect(unsafe ring.writable().count == 2)
    ring.push(1)
    #expect(unsafe ring.writable().isEmpty)
    #expect(unsafe ring.readable().count == 4)
  }
}

/// A ring and its writing thread.
private final class RingLink: Sendable {
  let ring: SampleRing
  let isCancelled = Atomic<Bool>(false)

  init(_ ring: consuming SampleRing) { self.ring = ring }

  /// A sequence without a short period.
  static func byte(_ index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 13)
  }

  func write(_ total: Int) {
    var written = 0
    let size = ring.sampleFrameSize
    var generator = SeededRandom(seed: 2)
    while written < total, !isCancelled.load(ordering: .relaxed) {
      let space = unsafe ring.writable()
      let room = min(space.count / size, total - written)
      let count = Int.random(in: 0...room, using: &generator)
      if count == 0 { sched_yield() }
      for index in 0..<count * size { unsafe space[index] = Self.byte(written * size + index) }
      ring.push(count)
      written += count
    }
  }
}
