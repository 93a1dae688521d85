// SPDX-License-Identifier: Apache-2.0

/// The form of the lines of a ``SoundLevelObserver``, described in `docs/levels.md`.
package enum SoundLevelText: Sendable {
  /// A line an interval, with an object for each channel.
  case json
  /// A row an interval and channel. Its columns are those of every rate, so that runs of several rates share a table.
  case csv

  private static let bands = (-19...13).map { ThirdOctave(number: $0) }

  /// The first line; nil if there is none.
  package func head(_ settings: SoundLevelSettings) -> String? {
    guard case .csv = self else { return nil }
    let names = ["time", "source", "start", "end", "channel"] + settings.weighting.levelNames
    return (names + (settings.hasBands ? Self.bands.map(\.name) : [])).joined(separator: ",")
  }

  /// - Parameter time: of the report's first sample; nil if it is unknown.
  func lines(
    of report: StreamSoundLevels, at time: String?, _ settings: SoundLevelSettings
  ) -> [String] {
    switch self {
    case .json: [report.json(at: time, settings).compact]
    case .csv: rows(of: report, at: time, settings)
    }
  }

  private func rows(
    of report: StreamSoundLevels, at time: String?, _ settings: SoundLevelSettings
  ) -> [String] {
    let rate = Double(report.stream.format.sampleRate)
    let end = report.samplePosition + report.levels.samplesPerChannel
    let source = report.stream.source.map(\.description) ?? ""
    func cell(_ level: Double?) -> String { level == nil ? "" : JSONValue.rounded(level).compact }
    return report.levels.channels.enumerated().map { index, channel in
      let times = [report.samplePosition, end].map { JSONValue.number(Double($0) / rate).compact }
      let bands = settings.hasBands ? Self.bands : []
      let found = Dictionary(uniqueKeysWithValues: channel.bands.map { ($0.band, $0.level) })
      return
        ([time ?? "", source] + times + ["\(index + 1)"]
        + channel.values.map(cell)
        + bands.map { cell(found[$0] ?? nil) }).joined(separator: ",")
    }
  }
}

extension StreamSoundLevels {
  fileprivate func json(at time: String?, _ settings: SoundLevelSettings) -> JSONValue {
    let rate = stream.format.sampleRate
    var members = stream.members(event: "levels")
    members += [
      ("samplePosition", .integer(samplePosition)),
      ("renderTime", .integer(AudioTime.milliseconds(samplePosition, at: rate))),
    ]
    if let time { members.append(("time", .string(time))) }
    members += [
      ("sampleRate", .integer(Int64(rate))),
      ("samplesPerChannel", .integer(levels.samplesPerChannel)),
    ]
    return .object(members + levels.members(settings))
  }
}

extension SoundLevelInterval {
  /// The levels, for JSON: `weighting`, `calibration`, `notANumber`, and `channels` with an object for each.
  package func members(_ settings: SoundLevelSettings) -> JSONValue.Members {
    [
      ("weighting", .string(settings.weighting.rawValue)),
      ("calibration", settings.calibration.map { .number($0) } ?? .null),
      ("notANumber", .integer(Int64(notFiniteSamples))),
      (
        "channels",
        .array(
          channels.map { channel in
            var members: JSONValue.Members = zip(settings.weighting.levelNames, channel.values)
              .map { ($0, .rounded($1)) }
            if settings.hasBands {
              members.append(
                ("bands", .object(channel.bands.map { ($0.band.name, .rounded($0.level)) })))
            }
            return .object(members)
          })
      ),
    ]
  }
}
