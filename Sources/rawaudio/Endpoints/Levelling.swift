// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// The loudness of a source, or of all sources of an album.
struct LoudnessFacts: Sendable {
  /// In LUFS. Nil if there is none.
  var loudness: Double?
  /// In dBTP. Nil for silence.
  var truePeak: Double?
  /// The number of NaN and infinite samples. A source with such samples has no loudness.
  var notFiniteSamples: Int
  /// The gain that brings it nearest to the target behind a limiter. Nil without one, or if it was not searched for.
  var limited: GainSearch.Trial?

  init(_ sounds: [SoundMeasurement]) {
    notFiniteSamples = sounds.reduce(0) { $0 + $1.notFiniteSamples }
    loudness = SoundMeasurement.loudness(ofAll: sounds)
    truePeak = sounds.compactMap(\.truePeak).max()
  }
}

/// The findings of a first pass over one source.
struct SourceFindings: Sendable {
  /// The range of its sound. Nil if not measured.
  var sound: SoundRange?
  /// The loudness after its edits. Nil if not measured.
  var loudness: LoudnessFacts?
}

/// The range of the sound in a source, and the length of the source, in samples per channel.
struct SoundRange: Sendable {
  /// Nil if no sample reaches the level.
  var range: Range<Int64>?
  var samplesPerChannel: Int64
}

/// The loudness of an album, whose sources share one gain, with the findings of one source.
struct AlbumPart: Sendable {
  let album: LoudnessFacts
  /// The findings of the source itself. Nil if it was unreadable.
  let findings: SourceFindings?
}

/// The result of a first pass: one gain.
struct Levelling: Sendable {
  let request: LoudnessOptions
  let track: LoudnessFacts
  /// Nil without an album.
  let album: LoudnessFacts?
  /// Whether the source is one of several levelled together.
  let isPart: Bool
  /// In decibels.
  let gain: Double
  /// The missing loudness in LU. 0 if the true peak allows all of it.
  let shortfall: Double

  init(_ request: LoudnessOptions, track: LoudnessFacts, album: LoudnessFacts?, isPart: Bool) {
    self.request = request
    self.track = track
    self.album = album
    self.isPart = isPart
    let facts = album ?? track
    guard let target = request.target, let loudness = facts.loudness else {
      (gain, shortfall) = (0, 0)
      return
    }
    if let limited = facts.limited {
      let missing = target - limited.loudness
      (gain, shortfall) = (limited.gain, missing > GainSearch.tolerance ? missing : 0)
      return
    }
    let wanted = target - loudness
    let allowed =
      request.limit != nil ? wanted : facts.truePeak.map { request.truePeak - $0 } ?? wanted
    gain = min(wanted, allowed)
    // A rounding error is no shortfall.
    shortfall = wanted - allowed > 1e-6 ? wanted - allowed : 0
  }

  /// Warnings for the user.
  ///
  /// - Parameter name: the name of the source. Nil for the album, whose single sources have no notes.
  func notes(of name: String?) -> [String] {
    guard let target = request.target, !isPart || name == nil else { return [] }
    let whose = name.map { "'\($0)'" } ?? "the album"
    let facts = album ?? track
    if facts.notFiniteSamples > 0 {
      let rest =
        facts.loudness == nil
        ? "its level stays as it is" : "the files that do have no part in its loudness"
      return ["\(whose) holds \(facts.notFiniteSamples.samplesNotFinite); \(rest)"]
    }
    if facts.loudness == nil {
      return ["\(whose) has no loudness, being silent or too short; its level stays as it is"]
    }
    guard shortfall > 0 else { return [] }
    return [
      shortfallNote(
        of: whose, shortfall, target, ceiling: request.truePeak, limit: request.limit?.limit)
    ]
  }

  /// The findings and the gain, for `-v`.
  ///
  /// - Parameter name: the name of the source. Nil for the album.
  func detail(of name: String?) -> String {
    let facts = name == nil ? album ?? track : track
    let whose = name.map { "'\($0)'" } ?? "the album"
    return changeDetail(of: whose, facts.loudness, facts.truePeak, gain)
  }

  /// The tags that tell players how much to raise or lower the output.
  ///
  /// - Parameters:
  ///   - gain: the change of the output's level since the measurement, in decibels.
  ///   - isOpus: whether it is Opus, with the tags of RFC 7845, section 5.2.1, to −23 LUFS. All others have the tags of
  ///     ReplayGain 2, to −18 LUFS.
  func tags(afterGain gain: Double, isOpus: Bool) -> [TagEdit] {
    guard request.tags else { return [] }
    var edits: [TagEdit] = []
    for (name, facts) in [("TRACK", track as LoudnessFacts?), ("ALBUM", album)] {
      guard let facts, let loudness = facts.loudness else { continue }
      if isOpus {
        let steps = ((-23 - loudness - gain) * 256).rounded()
        let value = Int(max(-32_768, min(32_767, steps)))
        edits.append(TagEdit(key: "R128_\(name)_GAIN", value: "\(value)"))
      } else {
        let value = -18 - loudness - gain
        edits.append(TagEdit(key: "REPLAYGAIN_\(name)_GAIN", value: "\(value.decimal(2)) dB"))
        guard let peak = facts.truePeak else { continue }
        let factor = Decibels.factor(peak + gain)
        edits.append(TagEdit(key: "REPLAYGAIN_\(name)_PEAK", value: factor.decimal(6)))
      }
    }
    if !isOpus, !edits.isEmpty {
      edits.append(TagEdit(key: "REPLAYGAIN_REFERENCE_LOUDNESS", value: "-18.00 LUFS"))
    }
    return edits
  }
}

extension LevelOutcome {
  /// Warnings for the user.
  ///
  /// - Parameters:
  ///   - name: of the only source, else of the output.
  ///   - output: its name.
  func notes(of name: String, in output: String, reaching target: LevelTarget) -> [String] {
    let whose = "'\(name)'"
    if notFiniteSamples > 0, target.loudness != nil || target.peak != nil {
      return ["\(whose) holds \(notFiniteSamples.samplesNotFinite); its level stays as it is"]
    }
    if target.loudness != nil, input.loudness == nil {
      return ["\(whose) has no loudness, being silent or too short; its level stays as it is"]
    }
    if case .at = target.peak, input.samplePeak == nil {
      return ["\(whose) is silent; its level stays as it is"]
    }
    return codecNotes(output, target) + levelNotes(of: whose, target)
  }

  private func levelNotes(of whose: String, _ target: LevelTarget) -> [String] {
    guard let goal = target.loudness else { return [] }
    var notes: [String] = []
    if reduction > 0 {
      notes.append("\(whose): the limiter takes up to \(reduction.tenths) dB off the peaks")
    }
    guard shortfall > 0 else { return notes }
    return notes + [
      shortfallNote(
        of: whose, shortfall, goal, ceiling: target.ceiling, limit: target.limiter?.limit)
    ]
  }

  /// The notes on a file whose codec changed the peaks.
  private func codecNotes(_ output: String, _ target: LevelTarget) -> [String] {
    var notes: [String] = []
    if target.loudness == nil, target.ceiling != nil, shortfall > 0 {
      notes.append(
        "'\(output)' is \(shortfall.tenths) dB softer, for its codec raises the true peak")
    }
    if excess > 0, let bound = target.bound {
      notes.append(
        "'\(output)' is \(excess.decimal(2)) dB beyond \(bound.tenths) dBTP when it is decoded: its codec raises the"
          + " true peak")
    }
    return notes
  }

  /// The findings and the gain, for `-v`.
  func detail(of name: String) -> String {
    let limiting =
      reduction > 0
      ? ", limited by up to \(reduction.rounded(toDigits: 2)) dB" : ""
    return changeDetail(of: "'\(name)'", input.loudness, input.truePeak, gain) + limiting
  }
}

private func shortfallNote(
  of whose: String, _ shortfall: Double, _ target: Double, ceiling: Double?, limit: Double?
) -> String {
  if let limit {
    return
      "\(whose) reaches \((target - shortfall).decimal(2)) LUFS, not \(target.tenths): behind the limit of"
      + " \(limit.tenths) dBTP more gain changes nothing"
  }
  let ceiling = ceiling ?? 0
  let exact = ceiling.rounded(toDigits: 2)
  return
    "\(whose) stops \(shortfall.tenths) LU short of \(target.tenths) LUFS: the true peak would be beyond"
    + " \(ceiling.tenths) dBTP; --limit \(Int(exactly: exact).map { "\($0)" } ?? "\(exact)") goes on"
}

private func changeDetail(
  of whose: String, _ loudness: Double?, _ truePeak: Double?, _ gain: Double
) -> String {
  func level(_ value: Double?, _ unit: String) -> String {
    value.map { "\($0.tenths) \(unit)" } ?? "none"
  }
  return
    "\(whose): loudness \(level(loudness, "LUFS")), true peak \(level(truePeak, "dBTP")), changed by"
    + " \(gain.rounded(toDigits: 2)) dB"
}

extension Double {
  fileprivate var tenths: String { decimal(1) }
}
