// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// The ports of an end, and the samples of one cycle.
///
/// The server's thread moves a cycle in two steps: from the ports into ``staging`` or back, and then, if the cycle was
/// still the present one at the end, between ``staging`` and the ring.
@safe
struct PortBuffer: ~Copyable, Sendable {
  /// The longest cycle in samples per channel; jackd and PipeWire have no longer one.
  static var longestCycle: Int {
    @inline(__always) @_noAllocation @_noLocks get { 8_192 }
  }

  let channelCount: Int
  /// One for each channel.
  nonisolated(unsafe) let ports: UnsafeMutablePointer<PortHandle>
  /// Interleaved samples of one cycle.
  nonisolated(unsafe) let staging: UnsafeMutablePointer<Float>

  /// - Parameter ports: one for each channel.
  init(_ ports: [PortHandle]) {
    channelCount = ports.count
    unsafe self.ports = .allocate(capacity: ports.count)
    unsafe self.ports.initialize(from: ports, count: ports.count)
    let size = Self.longestCycle * ports.count
    unsafe staging = .allocate(capacity: size)
    // Touches every page now, not in the first cycle.
    unsafe staging.initialize(repeating: 0, count: size)
  }

  deinit {
    unsafe ports.deallocate()
    unsafe staging.deallocate()
  }
}

extension LiveRing {
  /// - Parameters:
  ///   - buffer: the ports whose samples the ring holds.
  ///   - size: in samples per channel.
  init(for buffer: borrowing PortBuffer, size: Int, worth: Int, session: Wakeup) {
    self.init(
      ring: SampleRing(
        capacity: size, sampleFrameSize: buffer.channelCount * MemoryLayout<Float>.size),
      session: session, worth: worth)
  }
}
