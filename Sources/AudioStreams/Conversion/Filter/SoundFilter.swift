// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A frequency filter: a high-pass, a low-pass, or a band of an equaliser.
///
/// High-pass and low-pass are Butterworth filters: cascaded second-order sections (and one first-order section if the
/// order is odd), made by the bilinear transform with prewarping. The others follow R. Bristow-Johnson's *Audio EQ
/// Cookbook* (https://www.w3.org/TR/audio-eq-cookbook/). No filter delays the stream by whole samples, and all have the
/// phase of an analogue filter.
public struct SoundFilter: Sendable, Hashable {
  @nonexhaustive
  public enum Shape: Sendable, Hashable {
    /// Passes frequencies above the cutoff, where the response is −3.01 dB; of order 1 to 8.
    case highpass(order: Int)
    /// Passes frequencies below the cutoff, where the response is −3.01 dB; of order 1 to 8.
    case lowpass(order: Int)
    /// Passes frequencies around the centre, where the response is 0 dB.
    case bandpass
    /// Removes frequencies around the centre.
    case notch
    /// Changes frequencies around the centre by `gain` decibels.
    case peak(gain: Double)
    /// Changes frequencies below by `gain` decibels, and the shelf's frequency by half of that.
    case lowshelf(gain: Double)
    /// Changes frequencies above by `gain` decibels, and the shelf's frequency by half of that.
    case highshelf(gain: Double)
  }

  public let shape: Shape
  /// The cutoff, centre or shelf frequency in hertz.
  public let frequency: Double
  /// The quality: a higher one makes a narrower filter. Without meaning for a high-pass and a low-pass.
  public let q: Double

  public static let orders = 1...8
  public static let qualities = 0.01...1_000.0
  public static let gains = -120.0...120.0

  /// - Parameters:
  ///   - frequency: in hertz; more than 0, and less than half the rate of the filtered stream.
  ///   - q: in ``qualities``; nil = 1 for band-pass, notch and peak, 1 ⁄ √2 for shelves.
  /// - Throws: `invalidParameter` for a value out of range.
  public init(_ shape: Shape, frequency: Double, q: Double? = nil) throws(AudioError) {
    let usual: Double =
      switch shape {
      case .lowshelf, .highshelf: 0.5.squareRoot()
      default: 1
      }
    self.shape = shape
    self.frequency = frequency
    self.q = q ?? usual
    try AudioError.require(
      frequency > 0 && frequency.isFinite, "frequency", "\(frequency)",
      because: "it must be more than 0 Hz")
    let used = self.q
    try AudioError.require(
      Self.qualities.contains(used), "q", "\(used)", because: "it must be 0.01 to 1000")
    switch shape {
    case .highpass(let order), .lowpass(let order):
      try AudioError.require(
        Self.orders.contains(order), "order", "\(order)", because: "it must be 1 to 8")
    case .peak(let gain), .lowshelf(let gain), .highshelf(let gain):
      try AudioError.require(
        Self.gains.contains(gain), "gain", "\(gain)", because: "it must be -120 to 120 dB")
    case .bandpass, .notch: break
    }
  }

  /// Returns the filter's gain at a frequency, in decibels.
  ///
  /// - Parameters:
  ///   - frequency: in hertz, at most half the rate.
  ///   - sampleRate: the stream's rate, in hertz.
  /// - Throws: `invalidParameter` if the filter's own frequency is not below half the rate.
  public func response(at frequency: Double, sampleRate: Int) throws(AudioError) -> Double {
    let angle = 2 * Double.pi * frequency / Double(sampleRate)
    return try sections(at: sampleRate).reduce(0.0) { $0 + Decibels.level($1.gain(at: angle)) }
  }
}

extension SoundFilter {
  /// Returns the sections of the filter, in the order of their use.
  package func sections(at sampleRate: Int) throws(AudioError) -> [FilterSection] {
    guard frequency < Double(sampleRate) / 2 else {
      throw AudioError(
        .invalidParameter, cannot: "filter at", Self.hertz(frequency),
        because:
          "the frequency must be below \(Self.hertz(Double(sampleRate) / 2)), half the sample rate")
    }
    let angle = 2 * Double.pi * frequency / Double(sampleRate)
    let (c, s) = (cos(angle), sin(angle))
    let alpha = s / (2 * q)
    switch shape {
    case .highpass(let order): return Self.butterworth(order, angle, isHighpass: true)
    case .lowpass(let order): return Self.butterworth(order, angle, isHighpass: false)
    case .bandpass: return [Self.section(alpha, 0, -alpha, 1 + alpha, -2 * c, 1 - alpha)]
    case .notch: return [Self.section(1, -2 * c, 1, 1 + alpha, -2 * c, 1 - alpha)]
    case .peak(let gain):
      let a = pow(10, gain / 40)
      return [
        Self.section(
          1 + alpha * a, -2 * c, 1 - alpha * a, 1 + alpha / a, -2 * c, 1 - alpha / a)
      ]
    case .lowshelf(let gain): return [Self.shelf(pow(10, gain / 40), c, alpha, sign: 1)]
    case .highshelf(let gain): return [Self.shelf(pow(10, gain / 40), c, alpha, sign: -1)]
    }
  }

  /// For example `24000 Hz` or `5512.5 Hz`.
  private static func hertz(_ frequency: Double) -> String {
    let text = "\(frequency)"
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " Hz"
  }

  /// The Cookbook's shelves: the high shelf is the low shelf with the cosines' signs inverted.
  private static func shelf(
    _ a: Double, _ c: Double, _ alpha: Double, sign: Double
  ) -> FilterSection {
    let root = 2 * a.squareRoot() * alpha
    let plus = a + 1
    let minus = a - 1
    let cosine = c * sign
    return section(
      a * (plus - minus * cosine + root), sign * 2 * a * (minus - plus * cosine),
      a * (plus - minus * cosine - root), plus + minus * cosine + root,
      sign * -2 * (minus + plus * cosine), plus + minus * cosine - root)
  }

  /// Poles on a circle, as conjugate pairs of Q = 1 ⁄ (2 cos θ) (S. Butterworth, 1930).
  private static func butterworth(
    _ order: Int, _ angle: Double, isHighpass: Bool
  ) -> [FilterSection] {
    let (c, s) = (cos(angle), sin(angle))
    var sections: [FilterSection] = []
    if order % 2 == 1 {
      let k = tan(angle / 2)
      sections.append(
        isHighpass
          ? section(1, -1, 0, 1 + k, k - 1, 0) : section(k, k, 0, 1 + k, k - 1, 0))
    }
    for pair in 0..<order / 2 {
      // The least resonant section comes first, to keep levels between sections low.
      let number = Double(2 * pair + (order % 2 == 1 ? 2 : 1))
      let theta = Double.pi * number / Double(2 * order)
      let alpha = s * cos(theta)
      let edge = isHighpass ? (1 + c) / 2 : (1 - c) / 2
      sections.append(
        section(
          edge, isHighpass ? -(1 + c) : 1 - c, edge, 1 + alpha, -2 * c, 1 - alpha))
    }
    return sections
  }

  private static func section(
    _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
  ) -> FilterSection {
    FilterSection(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
  }
}

extension FilterSection {
  /// The gain at a frequency of `angle` radians per sample, as a factor.
  func gain(at angle: Double) -> Double {
    let c1 = cos(angle)
    let s1 = sin(angle)
    let c2 = cos(2 * angle)
    let s2 = sin(2 * angle)
    let front = hypot(b0 + b1 * c1 + b2 * c2, b1 * s1 + b2 * s2)
    let behind = hypot(1 + a1 * c1 + a2 * c2, a1 * s1 + a2 * s2)
    return front / behind
  }
}
