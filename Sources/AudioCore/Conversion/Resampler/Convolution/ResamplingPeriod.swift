/// A stretch of the stream after which a rate conversion repeats itself: `outputCount` output samples,
/// which stand on `inputCount` input samples.
///
/// A whole number of the ratio's own shortest periods, long enough for its beginning not to weigh.
struct ResamplingPeriod {
  let ratio: ResamplingRatio
  /// Output samples after which the coefficients repeat: at least four, in whole fours where they are few.
  let cycleCount: Int
  /// Input samples of one such cycle.
  let cycleLength: Int
  let outputCount: Int
  let inputCount: Int

  /// Input samples that a period has at least.
  private static var shortest: Int { 96 }
  /// Input or output samples of the longest period that is worth holding side by side.
  private static var longest: Int { 1_024 }

  /// - Returns: nil for a ratio whose own period is too long.
  init?(_ ratio: ResamplingRatio) {
    self.ratio = ratio
    let phaseCount = ratio.phaseCount
    var repetitions = 1
    while phaseCount * repetitions < 16, phaseCount * repetitions % 4 != 0 { repetitions += 1 }
    cycleCount = phaseCount * repetitions
    cycleLength = ratio.step * repetitions
    let cycles = max(1, (Self.shortest + cycleLength - 1) / cycleLength)
    outputCount = cycleCount * cycles
    inputCount = cycleLength * cycles
    if max(cycleCount, cycleLength) > Self.longest { return nil }
  }

  /// The input sample on or before which output `index`, from the start of a period, stands.
  func place(ofOutput index: Int) -> Int { index * ratio.step / ratio.phaseCount }

  /// Its place between that input sample and the next, in steps of 1 / `ratio.phaseCount`.
  func phase(ofOutput index: Int) -> Int { index * ratio.step % ratio.phaseCount }
}
