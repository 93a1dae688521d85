/// Where an output sample stands on the input while the ratio varies: at `index` + `phase` / `scale`,
/// where index 0 is the first sample of the history.
///
/// Nothing is rounded as it goes on. One part of `scale` is L × 2^q for a nominal ratio of L/M, so that the
/// nominal step M/L is a whole number of parts, as every other step is; q is as large as 62 bits allow. At
/// a correction of 0 the places are those of ``ResamplerPlace`` for ever. At any other the step is off from
/// what was asked for by one rounding, when it is set: at most 2^-52 of the correction, which in a day at
/// 192 kHz comes to less than a hundred-thousandth of a sample.
struct VaryingPlace: OutputPlace {
  /// Parts of an input sample.
  let scale: Int
  var index = 0
  private(set) var phase = 0
  private let nominalWhole: Int
  private let nominalPart: Int
  private var wholeStep: Int
  private var partialStep: Int

  /// The largest correction to either side: one part in a thousand.
  static let largestCorrection = 1e-3

  init(ratio: ResamplingRatio) {
    let spare = ratio.phaseCount.leadingZeroBitCount - 2
    scale = ratio.phaseCount << spare
    let (whole, rest) = ratio.step.quotientAndRemainder(dividingBy: ratio.phaseCount)
    nominalWhole = whole
    nominalPart = rest << spare
    wholeStep = nominalWhole
    partialStep = nominalPart
  }

  /// From the next output on, gives 1 + `correction` times as many outputs as the nominal ratio does.
  ///
  /// - Parameter correction: within ±``largestCorrection``; anything beyond is taken for that.
  mutating func correct(by correction: Double) {
    let limit = Self.largestCorrection
    let bounded = min(max(correction, -limit), limit)
    // step / (1 + c) = step − step · c / (1 + c): what is rounded is only the small difference.
    let nominal = Double(nominalWhole) + Double(nominalPart) / Double(scale)
    let change = -nominal * bounded / (1 + bounded) * Double(scale)
    // At rates as far apart as 768 : 1 the change may be most of a sample.
    let part = nominalPart + Int(change.rounded())
    let (whole, rest) = part.quotientAndRemainder(dividingBy: scale)
    wholeStep = nominalWhole + whole - (rest < 0 ? 1 : 0)
    partialStep = rest < 0 ? rest + scale : rest
  }

  /// Input samples from one output to the next.
  var step: Double { Double(wholeStep) + Double(partialStep) / Double(scale) }

  /// To the next output sample.
  @inline(__always)
  mutating func advance() {
    index &+= wholeStep
    phase &+= partialStep
    if phase >= scale {
      phase &-= scale
      index &+= 1
    }
  }

  /// A place is known to 2^-53 of a sample here, which moves nothing above −300 dB; the rounding is not
  /// carried on.
  func gridPlace(rowCount: Int) -> (row: Int, rest: Double) {
    let position = Double(phase) / Double(scale) * Double(rowCount)
    // Rounding may take the last place up to the next sample, where no four rows are left.
    let row = min(Int(position), rowCount - 1)
    return (row, position - Double(row))
  }

  /// `count` output samples further.
  mutating func advance(by count: Int) {
    let parts = Int128(count) * Int128(partialStep) + Int128(phase)
    let (whole, rest) = parts.quotientAndRemainder(dividingBy: Int128(scale))
    index += count * wholeStep + Int(whole)
    phase = Int(rest)
  }

  /// How many output samples, from this one on, have an index of at most `lastIndex`.
  func outputsReady(upTo lastIndex: Int) -> Int {
    guard lastIndex >= index else { return 0 }
    let reach = Int128(lastIndex - index + 1) * Int128(scale) - 1 - Int128(phase)
    let step = Int128(wholeStep) * Int128(scale) + Int128(partialStep)
    return Int(reach / step) + 1
  }
}
