/// Two rates as the smallest whole numbers: output k stands at k × `step` / `phaseCount` input samples.
struct ResamplingRatio: Hashable {
  /// Output samples in the shortest common period; the L of an L/M converter.
  let phaseCount: Int
  /// Input samples in the shortest common period; the M of an L/M converter.
  let step: Int

  init(from inputRate: Int, to outputRate: Int) {
    var (divisor, rest) = (inputRate, outputRate)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    phaseCount = outputRate / divisor
    step = inputRate / divisor
  }

  /// The lower rate as a fraction of the input's rate.
  var bandwidth: Double { min(1, Double(phaseCount) / Double(step)) }

  /// ⌈n × output rate / input rate⌉: the samples that stand within the duration of n input samples.
  func outputLength(of inputLength: Int64) -> Int64 {
    let (whole, rest) = inputLength.quotientAndRemainder(dividingBy: Int64(step))
    return whole * Int64(phaseCount) + (rest * Int64(phaseCount) + Int64(step) - 1) / Int64(step)
  }

  /// Where output `index` stands: on or after which input sample, and how far behind it in steps of
  /// 1 / `phaseCount`.
  func place(ofOutput index: Int64) -> (sample: Int64, phase: Int) {
    let (periods, rest) = index.quotientAndRemainder(dividingBy: Int64(phaseCount))
    let (sample, phase) = (Int(rest) * step).quotientAndRemainder(dividingBy: phaseCount)
    return (periods * Int64(step) + Int64(sample), phase)
  }
}
