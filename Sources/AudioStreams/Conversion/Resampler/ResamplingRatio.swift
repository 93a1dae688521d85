// SPDX-License-Identifier: Apache-2.0
/// Two rates as the smallest whole numbers: output k stands at k × `step` / `phaseCount` input samples.
package struct ResamplingRatio: Hashable {
  /// Output samples in the shortest common period; the L of an L/M converter.
  package let phaseCount: Int
  /// Input samples in the shortest common period; the M of an L/M converter.
  package let step: Int

  package init(from inputRate: Int, to outputRate: Int) {
    var (divisor, rest) = (inputRate, outputRate)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    phaseCount = outputRate / divisor
    step = inputRate / divisor
  }

  /// The lower rate as a fraction of the input's rate.
  var bandwidth: Double { min(1, Double(phaseCount) / Double(step)) }

  /// ⌈n × output rate / input rate⌉: the samples that stand within the duration of n input samples.
  package func outputLength(of inputLength: Int64) -> Int64 {
    let (whole, rest) = inputLength.quotientAndRemainder(dividingBy: Int64(step))
    return whole * Int64(phaseCount) + (rest * Int64(phaseCount) + Int64(step) - 1) / Int64(step)
  }

  /// Where output `index` stands: on or after which input sample, and how far behind it in steps of
  /// 1 / `phaseCount`. Outputs before the first one have negative numbers.
  func point(ofOutput index: Int64) -> (sample: Int64, phase: Int) {
    let periods = wholePeriods(index, of: phaseCount)
    let rest = Int(index - periods * Int64(phaseCount))
    let (sample, phase) = (rest * step).quotientAndRemainder(dividingBy: phaseCount)
    return (periods * Int64(step) + Int64(sample), phase)
  }
}

/// ⌊`index` / `length`⌋, also of negative numbers.
private func wholePeriods(_ index: Int64, of length: Int) -> Int64 {
  let (whole, rest) = index.quotientAndRemainder(dividingBy: Int64(length))
  return rest < 0 ? whole - 1 : whole
}

/// Where an output sample of a rate conversion stands on the input, and how to get to the next one.
protocol OutputPoint {
  /// The first sample that the output is computed from; 0 is the first of the history.
  var index: Int { get }
  /// How far behind a sample the output stands, as the number of the filter's row where every point has
  /// one.
  var phase: Int { get }

  /// The same in a grid that has `rowCount` rows a sample: a row, and how far behind it, 0 to 1.
  func gridPoint(rowCount: Int) -> (row: Int, rest: Double)

  /// To the next output sample.
  mutating func advance()
}

/// Where an output sample stands on the input: at `index` + `phase` / `ratio.phaseCount`, where index 0
/// is the first sample of the history.
struct RationalPoint: OutputPoint {
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
  func gridPoint(rowCount: Int) -> (row: Int, rest: Double) {
    let (row, rest) = (phase * rowCount).quotientAndRemainder(dividingBy: ratio.phaseCount)
    return (row, Double(rest) / Double(ratio.phaseCount))
  }
}

/// A stretch of the stream after which a rate conversion repeats itself: `outputCount` output samples,
/// which stand on `inputCount` input samples.
///
/// The ratio's own shortest period, or so many of them that the outputs are whole fours.
package struct ResamplingPeriod {
  let ratio: ResamplingRatio
  /// At least four.
  package let outputCount: Int
  package let inputCount: Int

  /// Input or output samples of the longest period that is worth holding side by side.
  private static var longest: Int { 1_024 }

  /// - Returns: nil for a ratio whose own period is too long.
  package init?(_ ratio: ResamplingRatio) {
    self.ratio = ratio
    let phaseCount = ratio.phaseCount
    var repetitions = 1
    while phaseCount * repetitions < 16, phaseCount * repetitions % 4 != 0 { repetitions += 1 }
    outputCount = phaseCount * repetitions
    inputCount = ratio.step * repetitions
    if max(outputCount, inputCount) > Self.longest { return nil }
  }

  /// In which period output `index` of the stream stands.
  func number(ofOutput index: Int64) -> Int64 { wholePeriods(index, of: outputCount) }

  /// The input sample on or before which output `index`, from the start of a period, stands.
  func point(ofOutput index: Int) -> Int { index * ratio.step / ratio.phaseCount }

  /// Where it stands between that input sample and the next, in steps of 1 / `ratio.phaseCount`.
  func phase(ofOutput index: Int) -> Int { index * ratio.step % ratio.phaseCount }
}
