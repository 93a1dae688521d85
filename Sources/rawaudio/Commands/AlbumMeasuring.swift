internal import AudioCore

/// The first pass over all sources of a run that are to have one gain.
struct AlbumMeasuring {
  let command: ConvertCommand
  let console: Console

  enum Outcome {
    case facts(LoudnessFacts)
    case interrupted(ExitCode)
  }

  /// Measures every source. What one fails with, the second pass tells.
  func run(_ request: WorkListRequest) throws -> Outcome {
    let control = SessionControl()
    let interruption = Interruption(of: control, requesting: .abandon)
    interruption.install()
    let (command, verbosity) = (command, console.verbosity)
    let workers = Workers<ListedFile, SoundMeasurement?>(request.jobs) { file, surroundings in
      let console = Console(
        verbosity: verbosity == .verbose ? .normal : verbosity,
        style: TerminalStyle(isColoured: false), errorIsTerminal: false, writeOutput: { _ in },
        writeError: { _ in })
      let edited = command.editedSource(
        .file(file.source), to: command.output, start: file.offset,
        duration: file.duration ?? command.duration, workers: surroundings.workers,
        control: surroundings.control)
      return (try? edited.measured(on: console)) ?? nil
    }
    defer { workers.end() }
    let list = try WorkList(request)
    let total = console.showsStatus ? list.countItems() : nil
    var progress = ListProgress("measuring", total: total, on: console)
    var counts = ListCounts()
    var sounds: [SoundMeasurement] = []
    while !list.isOver || workers.pending > 0 {
      if control.request != .none {
        workers.abandon()
        while workers.pending > 0 { _ = workers.take(atMost: .milliseconds(100)) }
        console.eraseStatus()
        return .interrupted(interruption.exitCode ?? .failure)
      }
      progress.update(counts)
      try workers.turn(list) { item in
        if case .file(let file) = item { try workers.give(file) }
      } deliver: { _, sound in
        counts.done += 1
        counts.seconds += sound?.duration ?? 0
        if let sound { sounds.append(sound) }
      }
    }
    console.eraseStatus()
    let facts = LoudnessFacts(sounds)
    if let loudness = command.edits.loudness {
      let levelling = Levelling(loudness, track: facts, album: facts, isPart: false)
      console.detail(levelling.detail(of: nil))
      levelling.notes(of: nil).forEach(console.note)
    }
    return .facts(facts)
  }
}
