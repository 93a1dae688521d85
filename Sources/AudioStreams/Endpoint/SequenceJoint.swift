// SPDX-License-Identifier: Apache-2.0
/// How two neighbours of a ``SequenceSource`` meet.
@nonexhaustive
public enum SequenceJoint: Sendable, Hashable {
  /// The second follows the first at once.
  case direct
  /// Silence of this length stands between them.
  case gap(TimePosition)
  /// The second begins this long before the first ends. For sample n of N, the end of the first is multiplied by the
  /// curve at 1 − n ⁄ N, and the beginning of the second by the curve at n ⁄ N.
  case crossfade(TimePosition, FadeCurve = .equalPower)
}

extension SequenceJoint {
  var mixes: Bool {
    if case .crossfade = self { true } else { false }
  }

  var curve: FadeCurve {
    if case .crossfade(_, let curve) = self { curve } else { .linear }
  }

  /// The gap in samples per channel.
  func gap(at rate: Int) throws(AudioError) -> Int64 {
    if case .gap(let time) = self { try time.length(at: rate, as: "gap") } else { 0 }
  }

  /// The overlap in samples per channel.
  func overlap(at rate: Int) throws(AudioError) -> Int64 {
    guard case .crossfade(let time, _) = self else { return 0 }
    return try time.length(at: rate, as: "crossfade")
  }
}

/// The beginning of the next source in a sequence: the sum of lengths at several rates, without rounding.
package struct SequencePositions {
  let sampleRate: Int
  private var shift: Int64 = 0
  /// Samples per channel at each rate, in the order of first occurrence.
  private var lengths: [(rate: Int, count: Int64)] = []

  package init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Adds samples per channel of a rate.
  package mutating func add(_ count: Int64, at rate: Int) {
    if let index = lengths.firstIndex(where: { $0.rate == rate }) {
      lengths[index].count += count
    } else {
      lengths.append((rate, count))
    }
  }

  /// Moves the following sources, in samples per channel of the sequence.
  mutating func shift(by count: Int64) { shift += count }

  /// The exact sum, rounded up, in samples per channel of the sequence.
  package var next: Int64 {
    var whole = shift
    var fraction = 0.0
    for (rate, count) in lengths {
      let (seconds, rest) = count.quotientAndRemainder(dividingBy: Int64(rate))
      let part = (rest * Int64(sampleRate)).quotientAndRemainder(dividingBy: Int64(rate))
      whole += seconds * Int64(sampleRate) + part.quotient
      fraction += Double(part.remainder) / Double(rate)
    }
    // 1e-9 keeps the rounding error of the fractions from adding a sample.
    return whole + Int64((fraction - 1e-9).rounded(.up))
  }
}
