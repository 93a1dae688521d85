// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A descriptor by which any thread ends a wait of the network's thread. eventfd(2).
final class WakeEvent: Sendable {
  private let handle: Descriptor
  var descriptor: Int32 { handle.number }

  init() throws(AudioError) {
    handle = try Descriptor(rawaudio_event_descriptor(), cannot: "receive from", "a network")
  }

  func signal() { eventfd_write(descriptor, 1) }
}

/// The descriptors that a thread waits for.
struct DescriptorWait {
  private var requests: [pollfd]

  init(_ descriptors: [Int32], event: WakeEvent) {
    requests = (descriptors + [event.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
  }

  /// Whether a descriptor could be read after the last wait.
  func isReady(_ descriptor: Int32) -> Bool {
    requests.contains { $0.fd == descriptor && $0.revents != 0 }
  }

  /// Waits until a descriptor can be read, or until `deadline`. The corresponding C function is `poll`.
  mutating func wait(until deadline: MonotonicTime) {
    let left = deadline.elapsed(since: .now).inNanoseconds
    // Rounded up: a wait that ends too early is a wait for nothing.
    let milliseconds = min(max((left + 999_999) / 1_000_000, 0), 60_000)
    _ = unsafe requests.withUnsafeMutableBufferPointer {
      unsafe poll($0.baseAddress, nfds_t($0.count), Int32(milliseconds))
    }
  }
}

extension MonotonicTime {
  func later(by duration: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + duration.inNanoseconds)
  }
}
