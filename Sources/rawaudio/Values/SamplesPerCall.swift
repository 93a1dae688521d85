/// The rule for the length of an observer's calls: whole sample frames of at least 10 ms.
enum SamplesPerCall {
  /// The smallest legal count at `sampleRate` and `channelCount`: 10 ms rounded up.
  static func smallest(sampleRate: Int, channelCount: Int) -> Int {
    (sampleRate + 99) / 100 * channelCount
  }

  /// - Throws: where `count` does not divide by the channels or is below 10 ms, with the smallest
  ///   legal count.
  static func validate(
    _ count: Int, sampleRate: Int, channelCount: Int
  ) throws(UsageError) {
    let smallest = smallest(sampleRate: sampleRate, channelCount: channelCount)
    let channels = "\(channelCount) channel\(channelCount == 1 ? "" : "s")"
    let reason: String
    if count < smallest {
      reason = "it is shorter than 10 ms"
    } else if !count.isMultiple(of: channelCount) {
      reason = "it does not divide by \(channelCount)"
    } else {
      return
    }
    throw UsageError(
      invalid: "\(count)", for: CaptureCommand.samplesPerCall.declaration,
      because:
        "at \(sampleRate) Hz and \(channels) \(reason); the smallest legal value is \(smallest)")
  }
}
