// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The mapping of frequencies to an axis.
@nonexhaustive
public enum FrequencyScale: String, Sendable, Hashable, CaseIterable {
  case linear
  /// Octaves have equal lengths. The axis begins at 20 Hz, or at 1/100 of the highest frequency if that is lower.
  case log
  /// 2595 · log₁₀(1 + f/700) (O'Shaughnessy 1987).
  case mel

  /// The lowest frequency of an axis that ends at `highest`, in hertz.
  func lowest(to highest: Double) -> Double {
    self == .log ? min(20, highest / 100) : 0
  }

  /// The place of `frequency`: 0 at the lowest, 1 at `highest`.
  func place(of frequency: Double, to highest: Double) -> Double {
    let lowest = lowest(to: highest)
    switch self {
    case .linear: return frequency / highest
    case .log:
      return Glibc.log(max(frequency, lowest) / lowest) / Glibc.log(highest / lowest)
    case .mel: return Self.mel(frequency) / Self.mel(highest)
    }
  }

  /// The frequency at `place`, in hertz: the inverse of ``place(of:to:)``.
  func frequency(at place: Double, to highest: Double) -> Double {
    let lowest = lowest(to: highest)
    switch self {
    case .linear: return place * highest
    case .log: return lowest * pow(highest / lowest, place)
    case .mel: return 700 * (pow(10, place * Self.mel(highest) / 2595) - 1)
    }
  }

  private static func mel(_ frequency: Double) -> Double { 2595 * log10(1 + frequency / 700) }
}

/// The rows of a spectrogram and their bins. The lowest frequency is row 0.
struct SpectrumRows: Sendable {
  /// The bins of each row, at least one.
  let bins: [ClosedRange<Int>]

  /// - Parameters:
  ///   - count: the number of rows.
  ///   - size: the size of the transform; its bins reach from 0 to half the rate.
  ///   - sampleRate: in hertz.
  init(_ count: Int, on scale: FrequencyScale, size: Int, sampleRate: Int) {
    let highest = Double(sampleRate) / 2
    /// The lower end of a row, in bins.
    func edge(_ row: Int) -> Double {
      scale.frequency(at: Double(row) / Double(count), to: highest) * Double(size)
        / Double(sampleRate)
    }
    bins = (0..<count).map { row in
      let low = edge(row)
      let high = edge(row + 1)
      // A bin belongs to the row of its centre; a row without a bin shows the nearest.
      let first = Int(low.rounded(.up))
      let end = row == count - 1 ? size / 2 : Int(high.rounded(.up)) - 1
      if first <= end { return first...end }
      let nearest = min(size / 2, Int(((low + high) / 2).rounded()))
      return nearest...nearest
    }
  }
}
