// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Notes on a file whose header contradicts itself or its samples.
extension SessionInput {
  /// Header notes that are always printed.
  var headerNotes: [String] {
    headerReadings.compactMap { reading in
      guard case .blockAlign(let stated, let taken) = reading else { return nil }
      return
        "'\(name)': its header contradicts itself: it states blocks of \(stated.counted("byte")), and is read in"
        + " blocks of \(taken.counted("byte"))"
    }
  }

  /// The note on samples behind those that the header states. Nil if there are none.
  var remainderNote: String? {
    samplesBehind == 0
      ? nil
      : "'\(name)' holds \(samplesBehind) samples per channel more than its header states; --ignore-length reads them"
  }

  /// Header details for `-v`.
  var headerDetails: [String] {
    headerReadings.compactMap { reading in
      guard case .paddedBits(let place, let isStated) = reading else { return nil }
      let (taken, other, option) =
        place == .low ? ("low", "high", "s32") : ("high", "low", "S24_LE")
      let reason =
        isStated
        ? "as --input-format says"
        : place == .low
          ? "for the low byte is used and the high one only repeats the sign"
          : "for nothing speaks for the low three"
      return "'\(name)': of the four bytes of a sample the \(taken) three are read, \(reason)"
        + (isStated ? "" : "; --input-format \(option) takes the \(other) ones")
    }
  }
}
