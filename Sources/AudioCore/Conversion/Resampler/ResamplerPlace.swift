/// Where an output sample stands on the input: at `index` + `phase` / `ratio.phaseCount`, where index 0
/// is the first sample of the history.
struct ResamplerPlace {
  let ratio: ResamplingRatio
  var index = 0
  private(set) var phase = 0
  private let wholeStep: Int
  private let partialStep: Int

  init(ratio: ResamplingRatio, index: Int = 0, phase: Int = 0) {
    self.ratio = ratio
    self.index = index
    self.phase = phase
    (wholeStep, partialStep) = ratio.step.quotientAndRemainder(dividingBy: ratio.phaseCount)
  }

  /// To the next output sample.
  @inline(__always)
  mutating func advance() {
    index &+= wholeStep
    phase &+= partialStep
    if phase >= ratio.phaseCount {
      phase &-= ratio.phaseCount
      index &+= 1
    }
  }

  /// `count` output samples further.
  mutating func advance(by count: Int) {
    let (whole, rest) = (phase + count * ratio.step).quotientAndRemainder(
      dividingBy: ratio.phaseCount)
    index += whole
    phase = rest
  }

  /// How many output samples, from this one on, have an index of at most `lastIndex`.
  func outputsReady(upTo lastIndex: Int) -> Int {
    guard lastIndex >= index else { return 0 }
    let reach = (lastIndex - index + 1) * ratio.phaseCount - 1 - phase
    return reach / ratio.step + 1
  }
}
