// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// The session of a command, with everything that a report of it needs.
struct CommandSession {
  let session: Session
  /// In the order in which the session has them.
  let inputs: [SessionInput]
  let outputs: [SinkPlace: SessionOutput]
  let observers: InstalledObservers
  let console: Console
  var timeline = TimelineRequest()
  /// The rate that was asked of the device, in hertz.
  var requestedSampleRate: Int?

  /// How far its inputs are live.
  var liveness: Liveness { inputs.map(\.liveness).max() ?? .none }

  /// In the order of the session.
  var orderedOutputs: [SessionOutput] { SinkPlace.allCases.compactMap { outputs[$0] } }

  /// Runs the session. What observers refuse when it starts ends it; they are completed whatever comes.
  ///
  /// - Parameters:
  ///   - onStart: called when everything is settled.
  ///   - onEnd: called when the session has ended, before observers are completed.
  ///   - onFailure: called after a failure; what it returns is thrown, unless an observer's frames are the reason.
  func run(
    onStart: @escaping (SessionSummary) -> Void, onEnd: () -> Void = {},
    onFailure: (AudioError) -> AudioError
  ) throws -> SessionReport {
    var rejection: UsageError?
    session.onStart = { summary in
      do throws(UsageError) {
        try observers.check(summary, on: console)
      } catch {
        rejection = error
        session.control.requestStop(.abandon)
      }
      onStart(summary)
    }
    // The closure holds the session.
    defer { session.onStart = nil }
    let report: SessionReport
    do {
      report = try runSession(onEnd)
      try observers.finish()
    } catch {
      try? observers.finish()
      let failure = onFailure(error)
      if let mistake = observers.usageError ?? rejection ?? observers.usageError(error) {
        throw mistake
      }
      throw failure
    }
    if let rejection { throw rejection }
    return report
  }
}

extension CommandSession {
  /// Whether sources may join while it runs.
  var isOpen: Bool { session.end != .withSources }

  /// What its devices count, those that record first.
  var deviceStatistics: [DeviceStatistics] {
    inputs.compactMap { $0.device?.statistics }
      + orderedOutputs.compactMap { $0.device?.statistics }
  }

  private func runSession(_ onEnd: () -> Void) throws(AudioError) -> SessionReport {
    defer { onEnd() }
    return try session.run()
  }
}

/// Runs the session of a command, and tells the user and the shell how it went.
struct SessionRunner {
  let command: CommandSession
  /// What is being done, for the status line: "mixing".
  let activity: String
  let failureConditions: Set<FailureCondition>
  /// What is shown while it runs.
  var status = StatusRequest()
  var unattended = UnattendedRequest()

  private var session: Session { command.session }

  /// Whether a signal is the usual way to end the work, as in a recording.
  private var endsBySignal: Bool {
    command.liveness != .none || command.isOpen
      || command.outputs.values.contains { $0.request.sink.isLive }
  }
  private var console: Console { command.console }

  func run() throws -> ExitCode {
    let interruption = Interruption.handling(
      session.control, requesting: endsBySignal ? .finish : .abandon)
    if endsBySignal { Suspension(of: session.control).install() }
    let splitSignal = SplitSignal(command.orderedOutputs.compactMap(\.partControl))
    splitSignal.install()
    let (devices, details) = (DeviceNotes(of: command), SessionDetails(of: command))
    let (notes, summaryLine) = (SessionNotes(of: command), SummaryLine(of: command))
    // A meter uses the status line.
    let status =
      command.observers.haveMeter || !console.showsStatus
      ? nil : try SessionStatus(of: command, activity: activity, status)
    let service = ServiceReports(of: command, activity: activity)
    let parts = try PartReports(of: command, running: unattended.partCommand)
    let alarms = AlarmReports(of: command, unattended.alarms)
    func announce(_ progress: SessionProgress?) {
      for output in command.orderedOutputs { output.announce(on: console) }
      command.tellNotices()
      parts.announce()
      alarms.announce(progress)
    }
    session.onProgress = { progress in
      status?.update(progress)
      announce(progress)
      service?.update(progress)
      tellRefusal(of: splitSignal)
    }
    defer {
      // The closure holds the session.
      session.onProgress = nil
      devices.end()
      console.eraseStatus()
    }
    let report = try command.run { summary in
      details.describe(summary)
      devices.begin(summary) { service?.note($0, of: $1) }
      status?.start(summary)
      parts.begin(summary)
      alarms.begin(summary)
      service?.begin(summary)
    } onEnd: {
      service?.end()
      console.eraseStatus()
      announce(nil)
    } onFailure: { error in
      _ = parts.finish(session.control)
      devices.tellPauses()
      devices.noteTroubles()
      command.observers.notes.forEach(console.note)
      let failure = isGivenUp(interruption) ? Self.givenUp : error
      summaryLine.tell(nil, failure: failure)
      return failure
    }
    let isPartWorkDone = parts.finish(session.control)
    details.describe(report)
    devices.tellWakeUps()
    devices.tellPauses()
    if report.outcome == .abandoned {
      if isGivenUp(interruption) { throw Self.givenUp }
      return interruption.exitCode ?? .failure
    }
    let streamEnd = StreamEnd(of: command, report, by: interruption.signal)
    streamEnd?.notes.forEach(console.note)
    let conditions = notes.tell(report)
    summaryLine.tell(report)
    // A part that ends before the end of what was stored is given without a word of it.
    if let input = command.inputs.first(where: \.isCutShort) { throw input.incompleteStorage }
    if !isPartWorkDone { return .failure }
    if let streamEnd, streamEnd.isEmpty { return interruption.exitCode ?? .failure }
    return conditions.isDisjoint(with: failureConditions) ? .success : .strict
  }

  /// Whether a second signal made the session abandon what the first let it complete.
  private func isGivenUp(_ interruption: Interruption) -> Bool {
    endsBySignal && interruption.signal != nil && session.control.request == .abandon
  }

  private static var givenUp: AudioError {
    AudioError(
      .interrupted, cannot: "finish", "",
      because: "it was interrupted again before everything was delivered")
  }

  /// Prints why a signal begins no part.
  private func tellRefusal(of splitSignal: SplitSignal) {
    guard splitSignal.takeUnanswered() else { return }
    let reason = command.orderedOutputs.compactMap(\.refusalOfParts).first
    console.note("SIGUSR1 begins no new file: \(reason ?? "nothing is recorded")")
  }
}
