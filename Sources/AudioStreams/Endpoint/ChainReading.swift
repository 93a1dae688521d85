// SPDX-License-Identifier: Apache-2.0
extension Chain {
  /// Appends the next block of `source` to the input. It does not run the stages: ``run()`` or ``end()`` follows.
  ///
  /// - Parameters:
  ///   - source: one that is started and has the format of the input.
  ///   - limit: the most samples per channel to read.
  /// - Throws: the error of the source; `lifeCycle` if it answers `ready` without a sample, for asking again would
  ///   never end.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func read(
    from source: any AudioSource, atMost limit: Int = .max
  ) throws(AudioError) -> SourceStatus {
    let capacity = min(blockLength, limit) * inputFormat.channelCount
    let before = input.count
    let status = try input.append(atMost: capacity) { (samples) throws(AudioError) in
      try source.read(into: &samples)
    }
    if status == .ready, input.count == before {
      throw AudioError(
        .lifeCycle, cannot: "read", "a source", because: "it answered ready and gave nothing",
        advice: "answer pending if more will come, or ended")
    }
    return status
  }

  /// Reads the next block of `source` and runs the stages; at its end, flushes the samples that they hold back.
  ///
  /// - Parameter source: one that is started and has the format of the input.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func fill(from source: any AudioSource) throws(AudioError) -> SourceStatus {
    let status = try read(from: source)
    switch status {
    case .ready: try run()
    case .pending: break
    case .ended: try end()
    }
    return status
  }
}
