// SPDX-License-Identifier: Apache-2.0
internal import AudioKernels
internal import Glibc

/// A frequency weighting of sound level meters, by IEC 61672-1.
@nonexhaustive
public enum FrequencyWeighting: String, Sendable, Hashable, CaseIterable {
  /// As the ear hears soft sounds.
  case a = "A"
  /// As the ear hears loud sounds.
  case c = "C"
  /// None. A constant is left out: the response is −3 dB at 1 Hz.
  case z = "Z"

  /// The design goal of IEC 61672-1:2013, annex E, in decibels; 0 at 1 kHz.
  ///
  /// - Parameter frequency: in hertz; more than 0.
  public func goal(at frequency: Double) -> Double {
    if self == .z { return 0 }
    let gain = Self.gain(at: frequency, self) / Self.gain(at: 1_000, self)
    return Decibels.level(gain)
  }

  /// The poles of IEC 61672-1:2013, annex E, in hertz: f1 and f4 count twice; A has f2 and f3, too.
  private static let (f1, f2, f3, f4) = (
    20.598_997_057_618_316, 107.652_648_643_046_29, 737.862_230_736_290_1, 12_194.217_147_998_012
  )

  private static func gain(at frequency: Double, _ weighting: FrequencyWeighting) -> Double {
    let square = frequency * frequency
    let common = f4 * f4 * square / ((square + f1 * f1) * (square + f4 * f4))
    guard weighting == .a else { return common }
    return common * square / ((square + f2 * f2) * (square + f3 * f3)).squareRoot()
  }

  /// The filters at a sample rate, with 0 dB at 1 kHz.
  ///
  /// Each pole is a first-order filter that equals the analogue one at zero, at half the rate, and at one frequency
  /// between. The bilinear transform, which bends the upper frequencies, would leave class 1 at 32 kHz.
  func sections(at sampleRate: Int) -> [FilterSection] {
    let rate = Double(sampleRate)
    func highPass(_ pole: Double) -> FirstOrder { FirstOrder(highPass: pole, at: rate) }
    func lowPass(_ pole: Double) -> FirstOrder { FirstOrder(lowPass: pole, at: rate) }
    let poles: [(FirstOrder, FirstOrder)]
    switch self {
    case .a:
      poles = [
        (highPass(Self.f1), highPass(Self.f1)), (highPass(Self.f2), highPass(Self.f3)),
        (lowPass(Self.f4), lowPass(Self.f4)),
      ]
    case .c:
      poles = [
        (highPass(Self.f1), highPass(Self.f1)), (lowPass(Self.f4), lowPass(Self.f4)),
      ]
    case .z: poles = [(highPass(1), FirstOrder())]
    }
    let sections = poles.map { $0 * $1 }
    guard self != .z else { return sections }
    // Half the rate of the lowest rates lies near 1 kHz, where the goal holds as well.
    let angle = 2 * Double.pi * min(1_000, rate / 4) / rate
    let wanted = Decibels.factor(goal(at: min(1_000, rate / 4)))
    let factor = wanted / sections.reduce(1) { $0 * $1.gain(at: angle) }
    return sections.enumerated().map { $0.offset == 0 ? $0.element.scaled(by: factor) : $0.element }
  }
}

/// A first-order filter (b0 + b1 z⁻¹) ⁄ (1 + a1 z⁻¹).
private struct FirstOrder {
  var b0 = 1.0
  var b1 = 0.0
  var a1 = 0.0

  init() {}

  /// With w = π f ⁄ rate, the square of a first-order response is (B0 cos² w + B1 sin² w) ⁄ (A0 cos² w + A1 sin² w) for
  /// A0 = (1 + a1)², A1 = (1 − a1)², and B0, B1 likewise. `ratio` is A1 ⁄ A0.
  private init(ratio: Double, b0: (Double) -> Double, b1: (Double) -> Double) {
    let root = ratio.squareRoot()
    a1 = (1 - root) / (1 + root)
    let sum = b0(1 + a1)
    let difference = b1(1 - a1)
    self.b0 = (sum + difference) / 2
    self.b1 = (sum - difference) / 2
  }

  init(lowPass pole: Double, at rate: Double) {
    func square(_ frequency: Double) -> Double { 1 / (1 + (frequency / pole) * (frequency / pole)) }
    let middle = min(pole, 0.35 * rate)
    let tangent = tan(Double.pi * middle / rate)
    let (end, target) = (square(rate / 2), square(middle))
    self.init(
      ratio: (1 - target) / (tangent * tangent * (target - end)), b0: { $0 },
      b1: { $0 * end.squareRoot() })
  }

  init(highPass pole: Double, at rate: Double) {
    func square(_ frequency: Double) -> Double { 1 / (1 + (pole / frequency) * (pole / frequency)) }
    let middle = min(pole, 0.25 * rate)
    let tangent = tan(Double.pi * middle / rate)
    let (end, target) = (square(rate / 2), square(middle))
    self.init(
      ratio: target / (tangent * tangent * (end - target)), b0: { _ in 0 },
      b1: { $0 * end.squareRoot() })
  }

  static func * (one: FirstOrder, other: FirstOrder) -> FilterSection {
    FilterSection(
      b0: one.b0 * other.b0, b1: one.b0 * other.b1 + one.b1 * other.b0, b2: one.b1 * other.b1,
      a1: one.a1 + other.a1, a2: one.a1 * other.a1)
  }
}

extension FilterSection {
  fileprivate func scaled(by factor: Double) -> FilterSection {
    FilterSection(b0: b0 * factor, b1: b1 * factor, b2: b2 * factor, a1: a1, a2: a2)
  }
}
