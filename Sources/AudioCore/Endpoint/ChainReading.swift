extension Chain {
  /// Appends the next block of `source` to the input. Nothing moves on: ``run()`` or ``end()`` follows.
  ///
  /// - Parameters:
  ///   - source: one that is started and has the format of the input.
  ///   - limit: the most samples per channel to read.
  func read(
    from source: any AudioSource, atMost limit: Int = .max
  ) throws(AudioError) -> SourceStatus {
    let capacity = min(blockLength, limit) * inputFormat.channelCount
    return try input.append(atMost: capacity) { (samples) throws(AudioError) in
      try source.read(into: &samples)
    }
  }

  /// Reads the next block of `source` and moves it on; at its end, whatever the stages hold back too.
  ///
  /// - Parameter source: one that is started and has the format of the input.
  func fill(from source: any AudioSource) throws(AudioError) -> SourceStatus {
    let status = try read(from: source)
    switch status {
    case .ready: try run()
    case .pending: break
    case .ended: try end()
    }
    return status
  }
}
