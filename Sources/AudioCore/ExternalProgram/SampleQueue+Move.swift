extension SampleQueue {
  /// Moves the `sampleCount` oldest samples to the end of `other`.
  func move(_ sampleCount: Int, to other: SampleQueue<Sample>) {
    other.append(readable.extracting(first: sampleCount))
    consume(sampleCount)
  }
}
