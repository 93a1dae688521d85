// SPDX-License-Identifier: Apache-2.0
/// A first-in first-out queue of interleaved samples whose readable part is always contiguous.
///
/// Grows if it must and keeps its storage, so a steady stream allocates nothing. Session thread only; samples that
/// cross threads go through ``SampleRing``.
///
/// Other targets call the specialised code compiled here. The fields are private, so the compiler proves that accesses
/// do not overlap, and none is checked at run time.
@safe
@usableFromInline
package final class SampleQueue<Sample: AudioSample> {
  private var storage: UnsafeMutableBufferPointer<Sample>
  private var head = 0
  private var tail = 0

  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package init(minimumCapacity: Int = 0) {
    unsafe storage = .allocate(capacity: minimumCapacity)
  }

  deinit { unsafe storage.deallocate() }

  /// Samples that can be read, over all channels.
  package var count: Int {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get { tail - head }
  }
  package var isEmpty: Bool {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get { head == tail }
  }

  /// The samples that can be read, oldest first.
  package var readable: Span<Sample> {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(storage.extracting(head..<tail)))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The readable samples, to change in place.
  package var writable: MutableSpan<Sample> {
    @_lifetime(borrow self) borrowing get { writable(0..<count) }
  }

  /// The readable samples at `range`, counted from the oldest, to change in place.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  @_lifetime(borrow self)
  package borrowing func writable(_ range: Range<Int>) -> MutableSpan<Sample> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let part = unsafe storage.extracting(head + range.lowerBound..<head + range.upperBound)
    let span = unsafe MutableSpan(_unsafeElements: part)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Drops the `sampleCount` oldest samples.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func consume(_ sampleCount: Int) {
    precondition(sampleCount >= 0 && sampleCount <= count)
    head += sampleCount
    if head == tail {
      head = 0
      tail = 0
    }
  }

  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func removeAll() { consume(count) }

  /// Appends up to `capacity` samples that `fill` writes; returns the result of `fill`.
  @inlinable
  package func append<Result, Failure: Error>(
    atMost capacity: Int, _ fill: (inout OutputSpan<Sample>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let free = unsafe reserved(capacity)
    var output = unsafe OutputSpan(buffer: free, initializedCount: 0)
    let result: Result
    do {
      result = try fill(&output)
    } catch {
      keep(unsafe output.finalize(for: free))
      throw error
    }
    keep(unsafe output.finalize(for: free))
    return result
  }

  /// Returns the buffer behind the newest sample, with room for `capacity` more.
  @usableFromInline
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func reserved(_ capacity: Int) -> UnsafeMutableBufferPointer<Sample> {
    reserve(capacity)
    return unsafe storage.extracting(tail..<tail + capacity)
  }

  /// Takes in the first `sampleCount` samples of the buffer from ``reserved(_:)``.
  @usableFromInline
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func keep(_ sampleCount: Int) { tail += sampleCount }

  /// Appends a copy of `samples`.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func append(_ samples: Span<Sample>) {
    append(atMost: samples.count) { output in
      unsafe samples.withUnsafeBufferPointer { source in
        unsafe output.withUnsafeMutableBufferPointer { target, initialized in
          initialized = unsafe target.update(fromContentsOf: source)
        }
      }
    }
  }

  /// Appends `sampleCount` zeros.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func appendSilence(_ sampleCount: Int) {
    append(atMost: sampleCount) { output in output.append(repeating: 0, count: sampleCount) }
  }

  /// Drops the `sampleCount` newest samples.
  package func removeLast(_ sampleCount: Int) {
    precondition(sampleCount <= count)
    tail -= sampleCount
  }

  private func reserve(_ free: Int) {
    if unsafe tail + free <= storage.count { return }
    let live = count
    if unsafe live + free <= storage.count, live <= head {
      // The live part fits in front of itself: a move is cheaper than growing.
      unsafe _ = storage.update(
        fromContentsOf: UnsafeBufferPointer(storage.extracting(head..<tail)))
    } else {
      let capacity = unsafe max(storage.count * 2, (live + free) * 2)
      let larger = UnsafeMutableBufferPointer<Sample>.allocate(capacity: capacity)
      unsafe _ = larger.update(fromContentsOf: UnsafeBufferPointer(storage.extracting(head..<tail)))
      unsafe storage.deallocate()
      unsafe storage = larger
    }
    head = 0
    tail = live
  }
}
