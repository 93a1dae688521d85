/// The Kaiser window and the rules for its two parameters.
///
/// J. F. Kaiser, "Nonrecursive Digital Filter Design Using the I0-sinh Window Function", Proc. IEEE
/// ISCAS 1974; formulas as in A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal Processing",
/// section 7.5.3 (7.75 and 7.76 in the third edition).
struct KaiserWindow {
  let beta: Double

  /// - Parameter attenuation: of the stop band in dB, above 50.
  init(attenuation: Double) {
    beta = 0.1102 * (attenuation - 8.7)
  }

  /// The order (length − 1) that a filter needs for `attenuation` dB over a transition band of
  /// `transition` radians a sample.
  static func order(attenuation: Double, transition: Double) -> Double {
    (attenuation - 8) / (2.285 * transition)
  }

  /// The attenuation that a filter of this order reaches: the inverse of `order`.
  static func attenuation(order: Double, transition: Double) -> Double {
    order * 2.285 * transition + 8
  }

  /// Replaces each place, from −1 to 1 across the window, by the window's value there, 1 in the middle
  /// and 0 outside.
  func replacePlaces(_ values: inout [Double]) {
    // I0(x) = Σ ((x/2)²)^k / k!², by Horner's rule; all terms are positive, so nothing cancels. From
    // k = 1.5 β + 20 on, the terms are below 2^-53 of the sum for every β in use.
    let last = Int(1.5 * beta) + 20
    let quarter = beta * beta / 4
    var middle = 1.0
    for k in stride(from: last, through: 1, by: -1) {
      middle = 1 + middle * quarter / Double(k * k)
    }
    var sums = [Double](repeating: 1, count: values.count)
    let arguments = values.map { quarter * max(0, (1 - $0) * (1 + $0)) }
    for k in stride(from: last, through: 1, by: -1) {
      let factor = 1 / Double(k * k)
      for index in sums.indices {
        sums[index] = 1 + sums[index] * (arguments[index] * factor)
      }
    }
    for index in values.indices {
      values[index] = abs(values[index]) <= 1 ? sums[index] / middle : 0
    }
  }
}
