// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The memory of one observer's frames. The first frame allocates it, so a frame longer than the stream costs no more
/// memory than the stream.
@safe
final class FrameBuffer<Sample: FrameSample> {
  private var storage = unsafe UnsafeMutableBufferPointer<Sample>(start: nil, count: 0)
  private(set) var count = 0

  deinit { unsafe storage.deallocate() }

  /// The frame's samples, to be edited.
  var samples: MutableSpan<Sample> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe MutableSpan(_unsafeElements: storage.extracting(..<count))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The frame's samples, to be read.
  var readable: Span<Sample> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(storage.extracting(..<count)))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Replaces the content by the samples that `fill` appends, at most `capacity`.
  func refill<Failure: Error>(
    atMost capacity: Int, _ fill: (inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    if unsafe capacity > storage.count {
      unsafe storage.deallocate()
      unsafe storage = .allocate(capacity: capacity)
    }
    let target = unsafe storage.extracting(..<capacity)
    var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
    do {
      try fill(&output)
    } catch {
      count = unsafe output.finalize(for: target)
      throw error
    }
    count = unsafe output.finalize(for: target)
  }

  /// Whether the content equals that of `other`, bit for bit.
  func isIdentical(to other: FrameBuffer<Sample>) -> Bool {
    guard count == other.count else { return false }
    guard let own = unsafe storage.baseAddress, let others = unsafe other.storage.baseAddress else {
      return true
    }
    return unsafe memcmp(own, others, count * MemoryLayout<Sample>.stride) == 0
  }
}
