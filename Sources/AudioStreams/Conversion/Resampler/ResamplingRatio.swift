// SPDX-License-Identifier: Apache-2.0
/// The ratio of two rates in lowest terms: output k stands at k × `step` / `phaseCount` input samples.
package struct ResamplingRatio: Hashable {
  /// Output samples in the shortest common period; the L of an L/M converter.
  package let phaseCount: Int
  /// Input samples in the shortest common period; the M of an L/M converter.
  package let step: Int

  package init(from inputRate: Int, to outputRate: Int) {
    var divisor = inputRate
    var rest = outputRate
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    phaseCount = outputRate / divisor
    step = inputRate / divisor
  }

  /// The lower rate as a fraction of the input's rate.
  var bandwidth: Double { min(1, Double(phaseCount) / Double(step)) }

  /// ⌈n × output rate / input rate⌉: the output samples within the duration of n input samples.
  package func outputLength(of inputLength: Int64) -> Int64 {
    let (whole, rest) = inputLength.quotientAndRemainder(dividingBy: Int64(step))
    return whole * Int64(phaseCount) + (rest * Int64(phaseCount) + Int64(step) - 1) / Int64(step)
  }

  /// Returns the position of output `index`: the input sample on or before it, and the distance behind that in steps of
  /// 1 / `phaseCount`. Outputs before the first one have negative numbers.
  func point(ofOutput index: Int64) -> (sample: Int64, phase: Int) {
    let periods = wholePeriods(index, of: phaseCount)
    let rest = Int(index - periods * Int64(phaseCount))
    let (sample, phase) = (rest * step).quotientAndRemainder(dividingBy: phaseCount)
    return (periods * Int64(step) + Int64(sample), phase)
  }
}

/// ⌊`index` / `length`⌋, for negative numbers, too.
private func wholePeriods(_ index: Int64, of length: Int) -> Int64 {
  let (whole, rest) = index.quotientAndRemainder(dividingBy: Int64(length))
  return rest < 0 ? whole - 1 : whole
}

/// The position of an output sample of a rate conversion on the input.
protocol OutputPoint {
  /// The first input sample of the output; 0 is the first of the history.
  var index: Int { get }
  /// The distance of the output behind a sample: the number of the filter's row if every point has one.
  var phase: Int { get }

  /// Returns the position in a grid of `rowCount` rows per sample: a row, and the distance behind it, 0 to 1.
  func gridPoint(rowCount: Int) -> (row: Int, rest: Double)

  /// Advances to the next output sample.
  mutating func advance()
}

/// The position of an output sample on the input: `index` + `phase` / `ratio.phaseCount`. Index 0 is the first sample
/// of the history.
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

  /// Advances to the next output sample.
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

/// A period of a rate conversion: its coefficients repeat after `outputCount` output samples, which span `inputCount`
/// input samples.
///
/// It is the ratio's shortest period, or a multiple whose output count is a multiple of four.
package struct ResamplingPeriod {
  let ratio: ResamplingRatio
  /// At least four.
  package let outputCount: Int
  package let inputCount: Int

  /// The longest period for a ``TileConvolution``, in input or output samples.
  private static var longest: Int { 1_024 }

  /// - Returns: nil if the period is too long.
  package init?(_ ratio: ResamplingRatio) {
    self.ratio = ratio
    let phaseCount = ratio.phaseCount
    var repetitions = 1
    while phaseCount * repetitions < 16, phaseCount * repetitions % 4 != 0 { repetitions += 1 }
    outputCount = phaseCount * repetitions
    inputCount = ratio.step * repetitions
    if max(outputCount, inputCount) > Self.longest { return nil }
  }

  /// Returns the number of the period that holds output `index` of the stream.
  func number(ofOutput index: Int64) -> Int64 { wholePeriods(index, of: outputCount) }

  /// Returns the input sample on or before output `index`, from the start of a period.
  func point(ofOutput index: Int) -> Int { index * ratio.step / ratio.phaseCount }

  /// Returns the distance of that output behind the input sample, in steps of 1 / `ratio.phaseCount`.
  func phase(ofOutput index: Int) -> Int { index * ratio.step % ratio.phaseCount }
}
