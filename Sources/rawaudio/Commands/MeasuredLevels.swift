// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The sound levels of a file that `measure --levels` found.
struct MeasuredLevels: Sendable {
  let settings: SoundLevelSettings
  let intervals: [SoundLevelInterval]
  /// In hertz.
  let sampleRate: Int

  /// An object for each interval; `docs/levels.md` describes them.
  var json: JSONValue {
    .array(
      intervals.map { interval in
        .object(
          [
            ("start", .number(seconds(interval.start))),
            ("end", .number(seconds(interval.start + interval.samplesPerChannel))),
          ] + interval.members(settings))
      })
  }

  /// The rows of a page: a name, and a value for each channel. Bands are those of a single interval.
  var rows: [(name: String, values: [String])] {
    let unit = settings.calibration == nil ? "dBFS" : "dB"
    return intervals.flatMap { interval in
      var rows: [(name: String, values: [String])] = []
      if intervals.count > 1 {
        rows.append(("from \(seconds(interval.start).decimal(3)) s", []))
      }
      func add(_ name: String, _ levels: [Double?]) {
        rows.append((name, levels.map { $0?.decimal(1) ?? "-" }))
      }
      let channels = interval.channels
      for (index, name) in settings.weighting.levelNames.enumerated() {
        add("\(name) (\(unit))", channels.map { $0.values[index] })
      }
      guard intervals.count == 1 else { return rows }
      for index in channels.first?.bands.indices ?? 0..<0 {
        add(
          "\(channels[0].bands[index].band.name) Hz (\(unit))",
          channels.map { $0.bands[index].level })
      }
      return rows
    }
  }

  private func seconds(_ position: Int64) -> Double { Double(position) / Double(sampleRate) }
}

/// Gathers the reports of one file. One thread.
final class LevelReports {
  private let request: SoundLevelRequest
  private var intervals: [SoundLevelInterval] = []
  private var sampleRate = 1

  init(_ request: SoundLevelRequest) { self.request = request }

  /// Measures the recorded stream of a session that has not begun.
  func register(on session: Session) throws(AudioError) {
    _ = try session.register(
      SoundLevelObserver(
        .record, request.settings, interval: request.every ?? .samples(.max)
      ) { [self] report in
        intervals.append(report.levels)
        sampleRate = report.stream.format.sampleRate
      })
  }

  var levels: MeasuredLevels {
    MeasuredLevels(settings: request.settings, intervals: intervals, sampleRate: sampleRate)
  }
}
