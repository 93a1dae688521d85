// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A ring of samples in one of the two precisions, between a session and a program's thread.
///
/// One thread writes and one reads; neither waits for the other.
struct SampleLink: ~Copyable, Sendable {
  let format: StreamFormat
  let precision: SamplePrecision
  let ring: SampleRing

  /// - Parameter capacity: in samples per channel, at least 1.
  init(format: StreamFormat, precision: SamplePrecision, capacity: Int) {
    self.format = format
    self.precision = precision
    ring = SampleRing(
      capacity: capacity, sampleFrameSize: precision.bytesPerSample * format.channelCount)
  }

  /// Writes the samples that fit. Writing thread only.
  ///
  /// - Returns: the number of samples taken, across all channels.
  func write<Sample: FrameSample>(_ samples: Span<Sample>) -> Int {
    switch precision {
    case .single: ring.write(samples, storedAs: Float.self)
    case .double: ring.write(samples, storedAs: Double.self)
    }
  }

  /// Writes the samples that fit, in the memory layout `layout`. Writing thread only.
  ///
  /// - Parameter bytes: whole samples.
  /// - Returns: the number of samples taken, across all channels.
  func write(_ bytes: RawSpan, as layout: SampleLayout) -> Int {
    switch precision {
    case .single: ring.write(bytes, as: layout, storedAs: Float.self)
    case .double: ring.write(bytes, as: layout, storedAs: Double.self)
    }
  }

  /// Appends at most `limit` samples per channel to `output`. Reading thread only.
  ///
  /// - Returns: the number of samples per channel appended.
  func read<Sample: FrameSample>(atMost limit: Int, into output: inout OutputSpan<Sample>) -> Int {
    switch precision {
    case .single: ring.read(atMost: limit, storedAs: Float.self, into: &output)
    case .double: ring.read(atMost: limit, storedAs: Double.self, into: &output)
    }
  }
}

/// Reads and writes samples in a ring that stores them as `Stored`, with conversion.
extension SampleRing {
  /// Writes as many whole sample frames of `samples` as fit. Writing thread only.
  ///
  /// - Returns: the number of samples taken, across all channels.
  func write<Stored: AudioSample, Sample: FrameSample>(
    _ samples: Span<Sample>, storedAs: Stored.Type
  ) -> Int {
    write(samples.count) { (range, output: inout OutputSpan<Stored>) in
      Stored.accept(samples.extracting(range), into: &output)
    }
  }

  /// Writes as many whole sample frames in the memory layout `layout` as fit. Writing thread only.
  func write<Stored: AudioSample>(
    _ bytes: RawSpan, as layout: SampleLayout, storedAs: Stored.Type
  ) -> Int {
    let size = layout.bytesPerSample
    return write(bytes.byteCount / size) { (range, output: inout OutputSpan<Stored>) in
      let part = bytes.extracting(range.lowerBound * size..<range.upperBound * size)
      Stored.decode(part, as: layout, into: &output)
    }
  }

  /// Writes as many of `total` samples as fit; `append` appends those of a range.
  private func write<Stored: AudioSample>(
    _ total: Int, _ append: (Range<Int>, inout OutputSpan<Stored>) -> Void
  ) -> Int {
    let channelCount = sampleFrameSize / MemoryLayout<Stored>.stride
    var taken = 0
    while taken < total {
      let space = unsafe writable().bindMemory(to: Stored.self)
      let count = min(space.count, total - taken)
      if count == 0 { break }
      let target = space.extracting(..<count)
      var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
      append(taken..<taken + count, &output)
      taken += unsafe output.finalize(for: target)
      push(count / channelCount)
    }
    return taken
  }

  /// Appends the ring's samples to `output`, up to its free capacity. Reading thread only.
  ///
  /// - Parameter limit: the maximum, in samples per channel.
  /// - Returns: the number of samples per channel appended.
  func read<Stored: AudioSample, Sample: FrameSample>(
    atMost limit: Int, storedAs: Stored.Type, into output: inout OutputSpan<Sample>
  ) -> Int {
    let channelCount = sampleFrameSize / MemoryLayout<Stored>.stride
    var taken = 0
    while taken < limit {
      let held = unsafe readable().bindMemory(to: Stored.self)
      let count = min(
        held.count / channelCount, limit - taken, output.freeCapacity / channelCount)
      if count == 0 { break }
      let span = unsafe Span(_unsafeElements: held.extracting(..<(count * channelCount)))
      Stored.present(span, in: &output)
      pop(count)
      taken += count
    }
    return taken
  }
}

extension SamplePrecision {
  /// The size of a sample in memory, in bytes.
  var bytesPerSample: Int {
    self == .double ? MemoryLayout<Double>.stride : MemoryLayout<Float>.stride
  }
}

/// Limits one end of a ring to one thread at a time, without waiting.
struct ExclusiveUse: ~Copyable, Sendable {
  private let isTaken = Atomic(false)

  /// - Returns: false while another thread is inside.
  func enter() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  /// Makes the work done inside visible to the next thread that enters.
  func leave() { isTaken.store(false, ordering: .releasing) }
}
