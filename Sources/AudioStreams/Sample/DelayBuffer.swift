// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A first-in first-out queue for many samples that are held back for long: the length of a fade.
///
/// It grows by a chunk and moves nothing, so that holding costs little time. It saves memory: samples in double
/// precision that `Float` represents exactly, such as all of 24 bits, are held as `Float`. A chunk that was read is
/// used again. Session thread only.
@safe
package final class DelayBuffer<Sample: AudioSample> {
  @safe
  private struct Chunk {
    let memory: UnsafeMutableRawPointer
    /// Whether the samples in it are held as `Float`.
    var isNarrow: Bool
    /// The places in it that hold samples.
    var places = 0..<0
  }

  /// The size of a chunk, in bytes.
  private let size: Int
  private var chunks: [Chunk] = []
  /// The memory of a chunk that was read.
  private var spare: UnsafeMutableRawPointer?
  /// The held samples, over all channels.
  package private(set) var count = 0

  /// A huge page of x86-64 and AArch64: the system finds and clears it much faster than small pages.
  private static var largestSize: Int { 2 << 20 }

  /// - Parameter expectedCount: about how many samples will be held, over all channels.
  package init(expectedCount: Int) {
    // A short hold takes the memory that it needs, with 2,048 samples for a block.
    let most = Self.largestSize / MemoryLayout<Sample>.stride
    let samples = min(most, max(expectedCount, 2_048))
    size = samples * MemoryLayout<Sample>.stride
  }

  deinit {
    for chunk in chunks { unsafe chunk.memory.deallocate() }
    unsafe spare?.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// Appends a copy of `samples`.
  package func append(_ samples: Span<Sample>) {
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      var taken = 0
      while taken < source.count {
        unsafe taken += append(from + taken, source.count - taken)
      }
    }
  }

  /// Appends to the last chunk, or to a new one; returns how many samples it took.
  private func append(_ samples: UnsafePointer<Sample>, _ count: Int) -> Int {
    if let last = chunks.last, last.places.upperBound < capacity(of: last),
      let taken = unsafe put(samples, count)
    {
      return taken
    }
    let isNarrow = Sample.precision == .double
    unsafe chunks.append(Chunk(memory: newMemory(), isNarrow: isNarrow))
    if let taken = unsafe put(samples, count) { return taken }
    chunks[chunks.count - 1].isNarrow = false
    return unsafe put(samples, count) ?? 0
  }

  private func capacity(of chunk: Chunk) -> Int {
    size / (chunk.isNarrow ? MemoryLayout<Float>.stride : MemoryLayout<Sample>.stride)
  }

  /// Puts samples into the last chunk until it is full.
  ///
  /// - Returns: how many it took; nil if the chunk is narrow and `Float` cannot represent them exactly.
  private func put(_ samples: UnsafePointer<Sample>, _ count: Int) -> Int? {
    guard let chunk = chunks.last else { return nil }
    let end = chunk.places.upperBound
    let part = min(count, capacity(of: chunk) - end)
    if chunk.isNarrow {
      let target = unsafe chunk.memory.assumingMemoryBound(to: Float.self) + end
      let source = unsafe UnsafeRawPointer(samples).assumingMemoryBound(to: Double.self)
      guard unsafe KernelTable.current.narrow(source, part, target) else { return nil }
    } else {
      let target = unsafe chunk.memory.assumingMemoryBound(to: Sample.self) + end
      unsafe target.initialize(from: samples, count: part)
    }
    chunks[chunks.count - 1].places = chunk.places.lowerBound..<end + part
    self.count += part
    return part
  }

  /// Moves the `sampleCount` oldest samples to the end of `output`.
  package func move(_ sampleCount: Int, to output: SampleQueue<Sample>) {
    precondition(sampleCount <= count)
    var rest = sampleCount
    while rest > 0, let chunk = chunks.first {
      let begin = chunk.places.lowerBound
      let part = min(rest, chunk.places.count)
      output.append(atMost: part) { output in
        unsafe output.appendSamples(part) { target in
          if chunk.isNarrow {
            let source = unsafe chunk.memory.assumingMemoryBound(to: Float.self) + begin
            let target = unsafe UnsafeMutableRawPointer(target).assumingMemoryBound(to: Double.self)
            unsafe KernelTable.current.widen(source, part, target)
          } else {
            let source = unsafe chunk.memory.assumingMemoryBound(to: Sample.self) + begin
            unsafe target.initialize(from: source, count: part)
          }
        }
      }
      chunks[0].places = begin + part..<chunk.places.upperBound
      if chunks[0].places.isEmpty { removeFirst() }
      rest -= part
      count -= part
    }
  }

  /// Drops the `sampleCount` oldest samples.
  package func drop(_ sampleCount: Int) {
    precondition(sampleCount <= count)
    var rest = sampleCount
    while rest > 0, let chunk = chunks.first {
      let part = min(rest, chunk.places.count)
      chunks[0].places = chunk.places.lowerBound + part..<chunk.places.upperBound
      if chunks[0].places.isEmpty { removeFirst() }
      rest -= part
      count -= part
    }
  }

  private func removeFirst() {
    unsafe spare?.deallocate()
    unsafe spare = chunks.removeFirst().memory
  }

  private func newMemory() -> UnsafeMutableRawPointer {
    if let memory = unsafe spare {
      unsafe spare = nil
      return unsafe memory
    }
    let isHuge = size == Self.largestSize
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: isHuge ? Self.largestSize : 64)
    // Without huge pages, this changes nothing.
    if isHuge { unsafe madvise(memory, size, MADV_HUGEPAGE) }
    return unsafe memory
  }
}
