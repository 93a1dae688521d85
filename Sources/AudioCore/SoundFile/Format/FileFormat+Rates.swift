extension FileFormat {
  /// The rate in hertz that a file's header will state for `stream`: the stream's own but where the header
  /// holds a time between samples, in whole units.
  ///
  /// Source: libsndfile 1.2.0's `htk.c`, `sds.c` and `voc.c`, which cut the time off and, reading, the rate.
  public func statedSampleRate(of stream: StreamFormat) -> Int {
    guard let units = unitsPerSecond(stream.channelCount) else { return stream.sampleRate }
    return units / max(1, units / stream.sampleRate)
  }

  /// The rates that the header can state at all, where its number is smaller than the rates that there are.
  func statableSampleRates(_ channelCount: Int) -> ClosedRange<Int>? {
    switch (container, encoding) {
    case (.svx, _), (.mpc2k, _): 1_000...65_535
    // A shorter time stands for a rate that no stream has.
    case (.htk, _): 1_000...714_285
    case (.sds, _): 1_000...767_459
    // 256 less the time in one byte, or 65536 less it in two; the shortest that is read is 2 units, or 167.
    case (.voc, .u8): channelCount == 1 ? 3_906...500_000 : 1_954...766_467
    default: nil
    }
  }

  /// The unit of the time between samples in a header that holds that instead of a rate.
  private func unitsPerSecond(_ channelCount: Int) -> Int? {
    switch (container, encoding) {
    case (.htk, _): 10_000_000
    case (.sds, _): 1_000_000_000
    case (.voc, .u8): channelCount == 1 ? 1_000_000 : 128_000_000
    default: nil
    }
  }
}
