// SPDX-License-Identifier: Apache-2.0
/// The gains that players apply: `REPLAYGAIN_TRACK_GAIN` in decibels, and Opus' `R128_TRACK_GAIN` in 256ths of one.
///
/// Sources: RFC 7845, section 5.2.1: an Opus file has no other tags of gains. Its gains come on top of the header's, which
/// decoders apply. "ReplayGain 2.0 specification" (wiki.hydrogenaud.io): the reference, as loudness or as level.
extension Metadata {
  private static let (opus, usual) = (-23.0, -18.0)
  /// 89 dB of ReplayGain 1 are -18 LUFS.
  private static let levelOfZero = -107.0
  private static let reference = "REPLAYGAIN_REFERENCE_LOUDNESS"

  /// With the tags of gains that a file has, converted from the others.
  ///
  /// - Parameter forOpus: whether it is an Opus file.
  func withGains(forOpus: Bool) -> Metadata {
    var other = self
    let reference = statedReference
    for whose in ["TRACK", "ALBUM"] {
      let (gain, steps) = ("REPLAYGAIN_\(whose)_GAIN", "R128_\(whose)_GAIN")
      if forOpus {
        other.replace(gain, by: steps) { text in
          Self.number(text).map { (($0 + Self.opus - reference) * 256).rounded() }
            .flatMap { Int16(exactly: $0) }.map { "\($0)" }
        }
        other.drop("REPLAYGAIN_\(whose)_PEAK", because: "opus has no place for it")
      } else {
        other.replace(steps, by: gain) { text in
          Int16(text).map { value in
            let decibels = Double(value) / 256 + reference - Self.opus
            let hundredths = Int((decibels * 100).rounded())
            let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
            return "\(hundredths < 0 ? "-" : "")\(whole).\(rest.padded(to: 2)) dB"
          }
        }
      }
    }
    if forOpus { other.tags[Self.reference] = [] }
    return other
  }

  /// The loudness that sound has after its gain, in LUFS.
  private var statedReference: Double {
    guard let text = tags[Self.reference].first, let number = Self.number(text) else {
      return Self.usual
    }
    return number > 0 ? number + Self.levelOfZero : number
  }

  /// The number in front of a unit; nil also for one that no gain has.
  private static func number(_ text: String) -> Double? {
    text.split(separator: " ").first.flatMap { Double($0) }.flatMap { abs($0) < 1_000 ? $0 : nil }
  }

  private mutating func replace(
    _ old: String, by new: String, _ converted: (String) -> String?
  ) {
    guard let text = tags[old].first else { return }
    if !tags[new].isEmpty {
      tags[old] = []
    } else if let value = converted(text) {
      tags[old] = []
      tags.append(new, value)
    } else {
      drop(old, because: "its gain cannot be stated as \(new)")
    }
  }

  private mutating func drop(_ key: String, because reason: String) {
    guard !tags[key].isEmpty else { return }
    tags[key] = []
    omissions.append("tag \(key)", because: reason)
  }
}
