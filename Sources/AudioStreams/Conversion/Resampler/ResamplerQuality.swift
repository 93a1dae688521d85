// SPDX-License-Identifier: Apache-2.0
/// The quality of a rate conversion, which decides the length of its filter.
///
/// "Nyquist" is half the lower of the two rates. The stop band of all three begins there: nothing beyond it comes back.
@nonexhaustive
public enum ResamplerQuality: String, Sendable, Hashable, CaseIterable {
  /// Residual and aliases at most −100 dB, pass band within ±0.1 dB to 0.80 × Nyquist.
  case fast
  /// Residual and aliases at most −140 dB, pass band within ±0.01 dB to 0.91 × Nyquist. In single
  /// precision the rounding of the arithmetic itself stands at −142 dB.
  case high
  /// Residual and aliases at most −180 dB in double precision, pass band within ±0.001 dB to
  /// 0.93 × Nyquist.
  case best
}

/// A low-pass for rate conversion: a sinc under a Kaiser window. Frequencies are fractions of the Nyquist
/// frequency of its input.
struct FilterDesign {
  /// Coefficients for one output sample.
  let taps: Int
  /// The frequency at which the response is −6 dB.
  let cutoff: Double
  let window: KaiserWindow
  /// The rows of a grid within one input sample, if the outputs stand at too many points for a row each.
  let gridRowCount: Int

  /// - Parameters:
  ///   - attenuation: in dB; rounding `taps` up adds to it.
  ///   - passed: the end of the pass band.
  ///   - stopped: the beginning of the stop band.
  ///   - used: the end of the frequencies that pass.
  ///   - multiple: `taps` becomes a multiple of it; itself a multiple of 8.
  init(
    attenuation: Double, passed: Double, stopped: Double, used: Double, multiple: Int
  ) {
    let transition = (stopped - passed) * Double.pi
    let order = KaiserWindow.order(attenuation: attenuation, transition: transition)
    taps = (Int(order.rounded(.up)) + multiple) / multiple * multiple
    cutoff = (passed + stopped) / 2
    window = KaiserWindow(
      attenuation: KaiserWindow.attenuation(order: Double(taps - 1), transition: transition))
    gridRowCount = Int((Self.gridDensity * min(1, used)).rounded(.up))
  }

  /// The rows of a grid within one sample of a rate whose Nyquist frequency is the end of the frequencies that pass.
  /// Interpolating a component of ω radians per grid step through four points errs by at most 3/128 ω⁴ of its amplitude
  /// (the remainder of Lagrange's cubic, midway). Here ω ≤ π / 512, and the error is −209 dB.
  private static var gridDensity: Double { 512 }
}

// The low-passes that keep a quality's promise. Bands are fractions of "Nyquist": half the lower of the two
// rates.
extension ResamplerQuality {
  /// The end of the flat pass band. From here to the end of the promised one the response falls by less than the
  /// promised ripple, which spares a tenth of the filter.
  private var flatBandEdge: Double {
    switch self {
    case .fast: 0.787
    case .high: 0.899
    case .best: 0.921
    }
  }

  /// The stop-band attenuation of the design, in dB: the promise and a margin, because the images of a tone add up and
  /// the design formulas hold to about 1 dB.
  private var designAttenuation: Double {
    switch self {
    case .fast: 104
    case .high: 146
    case .best: 188
    }
  }

  /// The filter of a conversion in one step. The taps are a multiple of 16, so that a dot product has no remainder in
  /// any lane width.
  func design(for ratio: ResamplingRatio) -> FilterDesign {
    FilterDesign(
      attenuation: designAttenuation, passed: flatBandEdge * ratio.bandwidth,
      stopped: ratio.bandwidth, used: ratio.bandwidth, multiple: 16)
  }

  /// Coefficients for one output sample of a conversion in one step.
  package func tapCount(for ratio: ResamplingRatio) -> Int { design(for: ratio).taps }

  /// The filter between twice the lower rate and the other rate: short, because the steep filter beside it leaves
  /// nothing between "Nyquist" and the first image, at three times that.
  ///
  /// - Parameters:
  ///   - bandwidth: "Nyquist" as a fraction of the Nyquist frequency of the filter's input.
  ///   - isFirst: whether it comes before the steep filter.
  func shortDesign(bandwidth: Double, isFirst: Bool) -> FilterDesign {
    FilterDesign(
      attenuation: designAttenuation, passed: bandwidth, stopped: 3 * bandwidth,
      used: isFirst ? 3 * bandwidth : bandwidth, multiple: 8)
  }
}

extension ResamplerQuality {
  /// Returns the delay of a live rate conversion: half the length of its filter.
  package func delay(from input: Int, to output: Int) -> Duration {
    if input == output { return .zero }
    return .samples(tapCount(for: ResamplingRatio(from: input, to: output)) / 2 + 1, at: input)
  }

  /// Returns the input samples that an output needs behind it, for every way of computing it.
  package func reach(for ratio: ResamplingRatio) -> Int { ResamplingWays(ratio, self).reach }
}
