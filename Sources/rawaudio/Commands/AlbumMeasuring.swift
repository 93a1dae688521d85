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
    let command = command
    let work = try OrderedWork<Part?>(request, malformed: { _, _ in nil }) { file, surroundings in
      let edited = command.editedSource(
        .file(file.source), to: command.output, part: file, workers: surroundings.workers,
        control: surroundings.control)
      guard let (findings, sound) = try? edited.firstPass() else { return .some(nil) }
      return Part(file: file, findings: findings, sound: sound)
    }
    let total = console.showsStatus ? work.countItems() : nil
    var progress = ListProgress("measuring", total: total, on: console)
    var counts = ListCounts()
    var sounds: [SoundMeasurement] = []
    var parts: [ListedFile: SourceFindings] = [:]
    let isDone = try work.run(until: control) {
      progress.update(counts)
    } deliver: { part in
      counts.done += 1
      guard let part else { return }
      parts[part.file] = part.findings
      guard let sound = part.sound else { return }
      counts.seconds += sound.duration
      sounds.append(sound)
    }
    console.eraseStatus()
    guard isDone else { return .interrupted(interruption.exitCode ?? .failure) }
    let facts = LoudnessFacts(sounds)
    if let loudness = command.edits.loudness {
      let levelling = Levelling(loudness, track: facts, album: facts, isPart: false)
      console.detail(levelling.detail(of: nil))
      let isFatal =
        levelling.shortfall > 0 && command.processing.failureConditions.contains(.loudness)
      levelling.notes(of: nil).forEach { console.note($0, isFatal: isFatal) }
    }
    return .facts(AlbumFacts(album: facts, parts: parts))
  }
}
