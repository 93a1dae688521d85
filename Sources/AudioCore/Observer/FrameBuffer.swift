import Glibc

/// Memory for one observer's frames, allocated once.
@safe
final class FrameBuffer<Sample: FrameSample> {
  private let storage: UnsafeMutableBufferPointer<Sample>
  private(set) var count = 0

  init(capacity: Int) {
    unsafe storage = .allocate(capacity: capacity)
  }

  deinit { unsafe storage.deallocate() }

  /// The frame's samples, to be edited.
  var samples: MutableSpan<Sample> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe MutableSpan(_unsafeElements: storage.extracting(..<count))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The same samples, to be read.
  var readable: Span<Sample> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(storage.extracting(..<count)))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Replaces the content by what `fill` appends.
  func refill(_ fill: (inout OutputSpan<Sample>) -> Void) {
    var output = unsafe OutputSpan(buffer: storage, initializedCount: 0)
    fill(&output)
    count = unsafe output.finalize(for: storage)
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
