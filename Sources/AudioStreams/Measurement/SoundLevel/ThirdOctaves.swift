// SPDX-License-Identifier: Apache-2.0
internal import AudioKernels
internal import Glibc

/// A third-octave band, by IEC 61260-1: base ten, around 1 kHz.
public struct ThirdOctave: Sendable, Hashable {
  /// The number of the band: 0 for 1 kHz, 10 for 10 kHz.
  public let number: Int

  public init(number: Int) { self.number = number }

  /// The exact middle, in hertz: 1000 · 10^(number ⁄ 10).
  public var middle: Double { 1_000 * pow(10, Double(number) / 10) }
  /// The lower edge, where the response is −3 dB, in hertz.
  public var lowerEdge: Double { 1_000 * pow(10, (Double(number) - 0.5) / 10) }
  /// The upper edge, where the response is −3 dB, in hertz.
  public var upperEdge: Double { 1_000 * pow(10, (Double(number) + 0.5) / 10) }

  /// The usual name in hertz, by IEC 61260-1, annex E: `31.5`, `20000`.
  public var name: String {
    let tenth = ((number % 10) + 10) % 10
    let decade = (number - tenth) / 10
    var digits = Self.digits[tenth]
    var zeros = decade
    // The digits count hundredths of the decade from 1 kHz.
    while zeros < 0, digits % 10 == 0 {
      digits /= 10
      zeros += 1
    }
    let whole = digits * Self.power(max(0, zeros))
    let divisor = Self.power(max(0, -zeros))
    let rest = whole % divisor
    return rest == 0 ? "\(whole / divisor)" : "\(whole / divisor).\(rest * 10 / divisor)"
  }

  /// The usual names of the bands from 1 kHz on.
  private static let digits = [
    1_000, 1_250, 1_600, 2_000, 2_500, 3_150, 4_000, 5_000, 6_300, 8_000,
  ]

  private static func power(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { sum, _ in sum * 10 }
  }

  /// The bands from 12.5 Hz up that fit below half a sample rate, with a tenth of an octave to spare.
  ///
  /// - Parameter sampleRate: in hertz.
  public static func all(at sampleRate: Int) -> [ThirdOctave] {
    (-19...40).map { ThirdOctave(number: $0) }.prefix {
      $0.upperEdge * 1.07 <= Double(sampleRate) / 2
    }
  }

  /// The gain of the filter for this band, as a factor.
  ///
  /// - Parameters:
  ///   - frequency: in hertz, at most half the rate.
  ///   - sampleRate: in hertz; the band is one of ``all(at:)``.
  public func gain(at frequency: Double, sampleRate: Int) -> Double {
    let angle = 2 * Double.pi * frequency / Double(sampleRate)
    return Sections(self, at: sampleRate).sections.reduce(1) { $0 * $1.gain(at: angle) }
  }

  /// A Butterworth band-pass of order 8: the poles of an order of 4, moved to the band (S. Butterworth, 1930), then the
  /// bilinear transform, with prewarped edges. It makes the slope below the highest bands flatter: with order 6, they
  /// would leave class 1.
  struct Sections {
    let sections: [FilterSection]

    init(_ band: ThirdOctave, at sampleRate: Int) {
      let low = tan(Double.pi * band.lowerEdge / Double(sampleRate))
      let high = tan(Double.pi * band.upperEdge / Double(sampleRate))
      let (width, square) = (high - low, low * high)
      /// The section of a conjugate pair of analogue poles.
      func section(_ real: Double, _ imaginary: Double) -> FilterSection {
        let (linear, constant) = (-2 * real, real * real + imaginary * imaginary)
        let scale = 1 + linear + constant
        return FilterSection(
          b0: width / scale, b1: 0, b2: -width / scale, a1: 2 * (constant - 1) / scale,
          a2: (1 - linear + constant) / scale)
      }
      // A pole p of the low-pass becomes the roots of s² − p·width·s + square.
      var sections: [FilterSection] = []
      for angle in [Double.pi / 8, 3 * Double.pi / 8] {
        let (real, imaginary) = (-width / 2 * sin(angle), width / 2 * cos(angle))
        // The square root of (p·width ⁄ 2)² − square, a complex number.
        let (x, y) = (real * real - imaginary * imaginary - square, 2 * real * imaginary)
        let length = hypot(x, y)
        let (rootReal, rootImaginary) = (
          ((length + x) / 2).squareRoot(), -((length - x) / 2).squareRoot()
        )
        sections.append(section(real + rootReal, imaginary + rootImaginary))
        sections.append(section(real - rootReal, imaginary - rootImaginary))
      }
      self.sections = sections
    }
  }
}

/// The filters of all bands for one channel, four bands at a time.
struct ThirdOctaveBank {
  /// A stage of four bands: y = gain (w − w₂), w = x − a1 w₁ − a2 w₂. All gains are in ``Group/gain``.
  fileprivate struct Stage {
    var a1: SIMD4<Double> = .zero
    var a2: SIMD4<Double> = .zero
    var w1: SIMD4<Double> = .zero
    var w2: SIMD4<Double> = .zero
  }

  private struct Group {
    var first = Stage()
    var second = Stage()
    var third = Stage()
    var fourth = Stage()
    var gain: SIMD4<Double> = .zero
    var squares: SIMD4<Double> = .zero

    @_noAllocation @_noLocks
    mutating func add(_ samples: UnsafePointer<Double>, count: Int) {
      var (first, second, third, fourth) = (first, second, third, fourth)
      var sum = SIMD4<Double>.zero
      var place = 0
      while place < count {
        let input = unsafe SIMD4(repeating: samples[place])
        let output = fourth.next(third.next(second.next(first.next(input))))
        sum += output * output
        place &+= 1
      }
      squares += sum * gain * gain
      first.settle()
      second.settle()
      third.settle()
      fourth.settle()
      (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
    }
  }

  let bands: [ThirdOctave]
  private var groups: [Group]

  init(sampleRate: Int) {
    bands = ThirdOctave.all(at: sampleRate)
    groups = Array(repeating: Group(), count: (bands.count + 3) / 4)
    for (index, band) in bands.enumerated() {
      let sections = ThirdOctave.Sections(band, at: sampleRate).sections
      let (group, lane) = (index / 4, index % 4)
      groups[group].gain[lane] = sections.reduce(1) { $0 * $1.b0 }
      groups[group].first.set(lane, sections[0])
      groups[group].second.set(lane, sections[1])
      groups[group].third.set(lane, sections[2])
      groups[group].fourth.set(lane, sections[3])
    }
  }

  /// Filters the next samples, and adds the squares of each band.
  mutating func add(_ samples: UnsafePointer<Double>, count: Int) {
    unsafe groups.withUnsafeMutableBufferPointer { groups in
      for index in groups.indices { unsafe groups[index].add(samples, count: count) }
    }
  }

  /// Returns the sum of the squares of each band since the last call.
  mutating func takeSquares() -> [Double] {
    let sums = bands.indices.map { groups[$0 / 4].squares[$0 % 4] }
    for index in groups.indices { groups[index].squares = .zero }
    return sums
  }
}

extension ThirdOctaveBank.Stage {
  fileprivate mutating func set(_ lane: Int, _ section: FilterSection) {
    a1[lane] = section.a1
    a2[lane] = section.a2
  }

  @_transparent
  fileprivate mutating func next(_ input: SIMD4<Double>) -> SIMD4<Double> {
    let inner = (input - a2 * w2) - a1 * w1
    let output = inner - w2
    w2 = w1
    w1 = inner
    return output
  }

  /// Replaces an inaudible state by 0: computing with subnormal numbers is slow.
  @_noAllocation @_noLocks
  fileprivate mutating func settle() {
    for lane in 0..<4
    where abs(w1[lane]) + abs(w2[lane]) < 1e-30 {
      w1[lane] = 0
      w2[lane] = 0
    }
  }
}
