/// How good a rate conversion is, and so how long its filter.
///
/// "Nyquist" is half the lower of the two rates. The stop band of all three begins at 1.05 × Nyquist.
public enum ResamplerQuality: String, Sendable, Hashable, CaseIterable {
  /// Residual and aliases at most −100 dB, pass band within ±0.1 dB to 0.80 × Nyquist.
  case fast
  /// Residual and aliases at most −140 dB, pass band within ±0.01 dB to 0.91 × Nyquist. In single
  /// precision the rounding of the arithmetic itself stands at −142 dB.
  case high
  /// Residual and aliases at most −180 dB in double precision, pass band within ±0.001 dB to
  /// 0.95 × Nyquist.
  case best
}

// The low-pass that keeps a quality's promise, as `PolyphaseFilter` computes it. Bands are fractions of
// "Nyquist": half the lower of the two rates.
extension ResamplerQuality {
  /// End of the pass band.
  private var passBandEdge: Double {
    switch self {
    case .fast: 0.80
    case .high: 0.91
    case .best: 0.95
    }
  }

  /// Beginning of the stop band.
  private var stopBandEdge: Double { 1.05 }

  /// What the filter is designed for, in dB: the promise and a margin, since the images of a tone add
  /// up and the design formulas hold to about 1 dB.
  private var designAttenuation: Double {
    switch self {
    case .fast: 104
    case .high: 146
    case .best: 190
    }
  }

  /// Where the response is at −6 dB, as a fraction of the input's Nyquist frequency: midway between the
  /// bands.
  func cutoff(for ratio: ResamplingRatio) -> Double {
    (stopBandEdge + passBandEdge) / 2 * ratio.bandwidth
  }

  /// From the end of the pass band to the beginning of the stop band, in radians an input sample.
  private func transition(for ratio: ResamplingRatio) -> Double {
    (stopBandEdge - passBandEdge) * ratio.bandwidth * Double.pi
  }

  /// Coefficients for one output sample: a multiple of 16, so that a dot product has no rest in any lane
  /// width.
  func tapCount(for ratio: ResamplingRatio) -> Int {
    let order = KaiserWindow.order(
      attenuation: designAttenuation, transition: transition(for: ratio))
    return (Int(order.rounded(.up)) + 16) & ~15
  }

  /// The window over all taps. What ``tapCount(for:)`` was rounded up by goes into attenuation.
  func window(for ratio: ResamplingRatio) -> KaiserWindow {
    let order = Double(tapCount(for: ratio) - 1)
    return KaiserWindow(
      attenuation: KaiserWindow.attenuation(order: order, transition: transition(for: ratio)))
  }
}

extension ResamplerQuality {
  /// For how long a rate conversion holds back what it is given: half of its filter.
  func delay(from input: Int, to output: Int) -> Duration {
    if input == output { return .zero }
    return .samples(tapCount(for: ResamplingRatio(from: input, to: output)) / 2 + 1, at: input)
  }
}
