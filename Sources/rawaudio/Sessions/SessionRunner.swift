internal import AudioCore

/// Runs the session of a command, and tells the user and the shell how it went.
struct SessionRunner {
  let session: Session
  let inputs: [SessionInput]
  let outputs: [SinkPlace: SessionOutput]
  let observers: InstalledObservers
  let console: Console
  /// What is being done, for the progress line: "mixing".
  let activity: String
  /// Whether a signal is the usual way to end the work, as in a recording.
  let endsBySignal: Bool
  let failureConditions: Set<FailureCondition>
  var timeline = TimelineRequest()
  /// Of the device, in hertz.
  var requestedSampleRate: Int?

  func run() throws -> ExitCode {
    let interruption = Interruption(
      of: session.control, requesting: endsBySignal ? .finish : .abandon)
    interruption.install()
    if endsBySignal { Suspension(of: session.control).install() }
    var rejection: (any Error)?
    session.onStart = { summary in
      do {
        try observers.check(summary, on: console)
      } catch {
        rejection = error
        session.control.requestStop(.abandon)
      }
      describe(summary)
      noteResampling()
      followGaps(summary)
      tellPriorities()
    }
    // A meter uses the status line.
    if !observers.haveMeter { showProgress() }
    announceRecordings()
    defer {
      // These closures hold the session.
      session.onStart = nil
      session.onProgress = nil
      unfollowGaps()
      console.eraseStatus()
    }
    let report: SessionReport
    do {
      report = try session.run()
    } catch {
      console.eraseStatus()
      for output in orderedOutputs { output.announce(on: console) }
      tellPauses()
      noteDeviceTroubles()
      observers.notes.forEach(console.note)
      let failure = rejection == nil && isGivenUp ? Self.givenUp : error
      tellSummary(nil, failure: failure)
      throw observers.usageError ?? failure
    }
    if let rejection { throw rejection }
    console.eraseStatus()
    for output in orderedOutputs { output.announce(on: console) }
    describe(report)
    tellWakeUps()
    tellPauses()
    if report.outcome == .abandoned {
      if isGivenUp { throw Self.givenUp }
      return interruption.exitCode ?? .failure
    }
    let conditions = noteAll().union(noteFollowing(report))
    if conditions.isEmpty { noteEmptiness(report) }
    noteRates(report)
    tellSummary(report)
    return conditions.isDisjoint(with: failureConditions) ? .success : .strict
  }

  /// In the order of the session.
  var orderedOutputs: [SessionOutput] { SinkPlace.allCases.compactMap { outputs[$0] } }

  /// Whether a second signal made the session abandon what the first let it complete.
  private var isGivenUp: Bool { endsBySignal && session.control.request == .abandon }

  private static var givenUp: AudioError {
    AudioError(
      .interrupted, cannot: "finish", "",
      because: "it was interrupted again before everything was delivered")
  }

  /// Prints parts and events as they come.
  private func announceRecordings() {
    let progress = session.onProgress
    session.onProgress = { now in
      progress?(now)
      for output in orderedOutputs { output.announce(on: console) }
    }
  }

  private func showProgress() {
    var progress: Progress?
    session.onProgress = { now in
      let line = progress ?? Progress(activity, sampleRate: now.sampleRate, on: console)
      progress = line
      line.update(done: now.samplesPerChannel, total: now.expectedSamplesPerChannel)
    }
  }
}
