// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Notes on the reading of a file: its decoder, its streams, and a header that contradicts itself or its samples.
extension SessionInput {
  var readingNotes: [String] { schemeNotes + decodingNotes + streamNotes }

  /// The note on a file that has the name of an end.
  private var schemeNotes: [String] {
    !SourceEndpoint.hasScheme(name) || file == nil
      ? [] : ["'\(name)' is the file of that name, which comes before any other source"]
  }

  /// Notes on streams converted to the format of the file's first one.
  private var streamNotes: [String] {
    guard let streams = file?.soundFile.joinedStreams, !streams.otherFormats.isEmpty else {
      return []
    }
    let others = streams.otherFormats.map(\.description).joined(separator: " and ")
    return [
      "'\(name)' holds \(streams.count) streams one behind the other; \(others) converted to \(streams.format)"
    ]
  }

  private var decodingNotes: [String] {
    guard let decoded = file?.decodedFile, let information = decoded.information else { return [] }
    let streams = information.streamCount
    let place = information.track == 1 ? "the first" : "number \(information.track)"
    let which = streams > 1 ? ", \(place) of \(streams) streams of sound in it" : ""
    let note = "'\(name)' is decoded by ffmpeg (\(information.codecName)\(which))"
    let rate = information.format.sampleRate
    let silence = information.silenceInFront
    var notes = [note]
    if silence > 0 {
      notes.append(
        "'\(name)': the sound begins \(CallLength.milliseconds(of: silence, at: rate)) after"
          + " the pictures; silence of \(silence) samples per channel stands there")
    }
    if let gaps = decoded.gaps {
      if gaps.count > 0 {
        let places = gaps.count == 1 ? "at" : "in \(gaps.count) places, first at"
        notes.append(
          "'\(name)': sound is missing \(places) \(clockTime(gaps.first, at: rate)); silence of"
            + " \(gaps.silence) samples per channel stands there")
      }
      if let leap = gaps.leap {
        notes.append(
          "'\(name)': its times leap at \(clockTime(leap.position, at: rate)) by"
            + " \(clockTime(leap.length, at: rate)); the sound goes on there")
      }
      if gaps.isIncomplete {
        notes.append(
          "'\(name)' has more faults than are counted; missing sound behind them is not replaced")
      }
    }
    return notes + (decoded.errorLine.map { ["'\(name)' is damaged; ffmpeg says: \($0)"] } ?? [])
  }

  /// Header notes that are always printed.
  var headerNotes: [String] {
    (file?.soundFile.headerReadings ?? []).compactMap { reading in
      guard case .blockAlign(let stated, let taken) = reading else { return nil }
      return
        "'\(name)': its header contradicts itself: it states blocks of \(stated.counted("byte")), and is read in"
        + " blocks of \(taken.counted("byte"))"
    }
  }

  /// The note on samples behind those that the header states. Nil if there are none.
  var remainderNote: String? {
    guard let count = file?.soundFile.samplesBehind, count > 0 else { return nil }
    return
      "'\(name)' holds \(count) samples per channel more than its header states; --ignore-length reads them"
  }

  /// Header details for `-v`.
  var headerDetails: [String] {
    (file?.soundFile.headerReadings ?? []).compactMap { reading in
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
