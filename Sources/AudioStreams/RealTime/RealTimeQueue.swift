// SPDX-License-Identifier: Apache-2.0
/// A lock-free first-in first-out queue of fixed size between one writing and one reading thread.
///
/// It carries news from a thread that must not allocate: gaps, pauses, readings of a clock. A device thread writes
/// through its ``DeviceLink``.
package struct RealTimeQueue<Element: BitwiseCopyable>: ~Copyable, Sendable {
  /// One "sample frame" per element.
  package let ring: SampleRing

  /// - Parameter capacity: how many elements fit, at least 1.
  package init(capacity: Int) {
    ring = SampleRing(capacity: capacity, sampleFrameSize: MemoryLayout<Element>.stride)
  }

  /// Whether another element fits. Any thread; only the reader makes room.
  package var hasRoom: Bool { ring.free() > 0 }

  /// Adds an element. Writing thread only.
  ///
  /// - Returns: false if the queue is full.
  @discardableResult
  package func append(_ element: Element) -> Bool {
    guard let slot = unsafe ring.slot(keeping: 0) else { return false }
    unsafe slot.storeBytes(of: element, as: Element.self)
    ring.push(1)
    return true
  }

  /// The oldest element. Reading thread only.
  package var first: Element? {
    let held = unsafe ring.readable()
    guard let place = held.baseAddress, held.count > 0 else { return nil }
    return unsafe place.load(as: Element.self)
  }

  /// Drops the oldest element, which must be there. Reading thread only.
  package func removeFirst() { ring.pop(1) }

  /// Takes the oldest element. Reading thread only.
  package func takeFirst() -> Element? {
    guard let element = first else { return nil }
    removeFirst()
    return element
  }
}
