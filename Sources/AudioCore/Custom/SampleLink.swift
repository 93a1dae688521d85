internal import Synchronization

/// A ring of samples in one of the two precisions: the way between a session and a program's thread.
///
/// One thread writes, one reads; neither waits for the other.
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

  /// Writes what fits. Writing thread only.
  ///
  /// - Returns: how many samples, across all channels, were taken.
  func write<Sample: FrameSample>(_ samples: Span<Sample>) -> Int {
    switch precision {
    case .single: ring.write(samples, storedAs: Float.self)
    case .double: ring.write(samples, storedAs: Double.self)
    }
  }

  /// Appends at most `limit` samples per channel to `output`. Reading thread only.
  ///
  /// - Returns: how many samples per channel were appended.
  func read<Sample: FrameSample>(atMost limit: Int, into output: inout OutputSpan<Sample>) -> Int {
    switch precision {
    case .single: ring.read(atMost: limit, storedAs: Float.self, into: &output)
    case .double: ring.read(atMost: limit, storedAs: Double.self, into: &output)
    }
  }
}

/// Samples in and out of a ring that stores them as `Stored`, converted on the way.
extension SampleRing {
  /// Writes as many whole sample frames of `samples` as fit. Writing thread only.
  ///
  /// - Returns: how many samples, across all channels, were taken.
  func write<Stored: AudioSample, Sample: FrameSample>(
    _ samples: Span<Sample>, storedAs: Stored.Type
  ) -> Int {
    let channelCount = sampleFrameSize / MemoryLayout<Stored>.stride
    var taken = 0
    while taken < samples.count {
      let space = unsafe writable().bindMemory(to: Stored.self)
      let count = min(space.count, samples.count - taken)
      if count == 0 { break }
      let target = space.extracting(..<count)
      var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
      Stored.accept(samples.extracting(taken..<taken + count), into: &output)
      taken += unsafe output.finalize(for: target)
      push(count / channelCount)
    }
    return taken
  }

  /// Appends what is held to `output`, up to its free capacity. Reading thread only.
  ///
  /// - Parameter limit: the most to take, in samples per channel.
  /// - Returns: how many samples per channel were appended.
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
  /// The size of a sample in memory.
  var bytesPerSample: Int {
    switch self {
    case .single: MemoryLayout<Float>.stride
    case .double: MemoryLayout<Double>.stride
    }
  }
}

/// Keeps one end of a ring to one thread at a time, without ever waiting.
struct ExclusiveUse: ~Copyable, Sendable {
  private let isTaken = Atomic(false)

  /// - Returns: false while another thread is inside.
  func enter() -> Bool { !isTaken.exchange(true, ordering: .acquiring) }

  /// Makes everything done inside visible to the next thread that enters.
  func leave() { isTaken.store(false, ordering: .releasing) }
}
