// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The findings of the first pass over all sources of an album, which share one gain.
struct AlbumFacts: Sendable {
  fileprivate(set) var album: LoudnessFacts
  /// The findings of each readable source.
  fileprivate(set) var parts: [ListedFile: SourceFindings] = [:]

  /// Returns the facts of one source and of the album.
  func part(_ file: ListedFile) -> AlbumPart { AlbumPart(album: album, findings: parts[file]) }
}

/// The first pass over all sources of an album, which share one gain.
struct AlbumMeasuring {
  let command: ConvertCommand
  let console: Console

  enum Outcome {
    case facts(AlbumFacts)
    case interrupted(ExitCode)
  }

  private struct Part: Sendable {
    var file: ListedFile
    var findings: SourceFindings
    /// Nil if the source is empty.
    var sound: SoundMeasurement?
  }

  /// Measures every source. The second pass reports failures.
  func run(_ request: WorkListRequest) throws -> Outcome {
    let control = SessionControl()
    let interruption = Interruption.handling(control, requesting: .abandon)
    guard
      let parts = try measure(
        request, "measuring", until: control,
        { source, file in
          let (findings, sound) = try source.firstPass()
          return Part(file: file, findings: findings, sound: sound)
        })
    else { return .interrupted(interruption.exitCode ?? .failure) }
    var facts = AlbumFacts(
      album: LoudnessFacts(parts.compactMap(\.sound)),
      parts: Dictionary(parts.map { ($0.file, $0.findings) }, uniquingKeysWith: { $1 }))
    guard let loudness = command.edits.loudness else { return .facts(facts) }
    if let target = loudness.target, let limit = loudness.limit {
      guard try search(request, target, limit, &facts, until: control) else {
        return .interrupted(interruption.exitCode ?? .failure)
      }
    }
    let levelling = Levelling(loudness, track: facts.album, album: facts.album, isPart: false)
    console.detail(levelling.detail(of: nil))
    let isFatal =
      levelling.shortfall > 0 && command.processing.failureConditions.contains(.loudness)
    levelling.notes(of: nil).forEach { console.note($0, isFatal: isFatal) }
    return .facts(facts)
  }

  /// Finds the gain with which all sources together reach a loudness behind the limiter of each.
  ///
  /// - Returns: false if it was interrupted.
  private func search(
    _ request: WorkListRequest, _ target: Double, _ limit: LimitRequest, _ facts: inout AlbumFacts,
    until control: SessionControl
  ) throws -> Bool {
    guard let loudness = facts.album.loudness, let truePeak = facts.album.truePeak,
      truePeak + target - loudness + command.gain > limit.limit - LimiterSetting.margin
    else { return true }
    var search = GainSearch(target: target + command.gain, from: target - loudness + command.gain)
    var reached: Double
    repeat {
      let (gain, findings) = (LimitedGain(gain: search.gain, limit: limit), facts.parts)
      let parts = try measure(
        request, "levelling", until: control,
        { source, file in
          try findings[file].map { findings in
            Part(
              file: file, findings: findings, sound: try source.pass(behind: gain, findings))
          }
        })
      guard let parts else { return false }
      reached = LoudnessFacts(parts.compactMap(\.sound)).loudness ?? target
    } while search.takes(reached)
    facts.album.limited = search.best.map {
      GainSearch.Trial(gain: $0.gain - command.gain, loudness: $0.loudness - command.gain)
    }
    return true
  }

  /// Measures every source that can be read.
  ///
  /// - Returns: nil if it was interrupted.
  private func measure(
    _ request: WorkListRequest, _ activity: String, until control: SessionControl,
    _ pass: @escaping @Sendable (EditedSource, ListedFile) throws -> Part?
  ) throws -> [Part]? {
    let command = command
    let work = try OrderedWork<Part?>(request, malformed: { _, _ in nil }) { file, surroundings in
      let source = command.editedSource(
        .file(file.source), to: command.output, part: file, workers: surroundings.workers,
        control: surroundings.control)
      return .some(try? pass(source, file))
    }
    let total = console.showsStatus ? work.countItems() : nil
    var progress = ListProgress(activity, total: total, on: console)
    var counts = ListCounts()
    var parts: [Part] = []
    let isDone = try work.run(until: control) {
      progress.update(counts)
    } deliver: { part in
      counts.done += 1
      guard let part else { return }
      parts.append(part)
      counts.seconds += part.sound?.duration ?? 0
    }
    console.eraseStatus()
    return isDone ? parts : nil
  }
}
