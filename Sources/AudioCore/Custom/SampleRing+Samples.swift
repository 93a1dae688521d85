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
