/// Where an output sample stands on the input: at `index` + `phase` / `ratio.phaseCount`, where index 0
/// is the first sample of the history.
struct ResamplerPlace: OutputPlace {
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
  func gridPlace(rowCount: Int) -> (row: Int, rest: Double) {
    let (row, rest) = (phase * rowCount).quotientAndRemainder(dividingBy: ratio.phaseCount)
    return (row, Double(rest) / Double(ratio.phaseCount))
  }
}
