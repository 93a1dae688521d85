// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Runs the session of a command, and reports the outcome to the user and the shell.
struct SessionRunner {
  let command: CommandSession
  /// The work, for the status line: "mixing".
  let activity: String
  let failureConditions: Set<FailureCondition>
  /// The status line while it runs.
  var status = StatusRequest()
  var unattended = UnattendedRequest()

  private var session: Session { command.session }
  private var console: Console { command.console }

  /// Whether a signal is the usual way to end the work, as in a recording.
  private var endsBySignal: Bool {
    command.liveness != .none || command.isOpen
      || command.outputs.values.contains { $0.plan.sink.isLive }
  }

  func run() throws -> ExitCode {
    let interruption = Interruption.handling(
      session.control, requesting: endsBySignal ? .finish : .abandon)
    if endsBySignal { Suspension(of: session.control).install() }
    let splitSignal = SplitSignal(command.orderedOutputs.compactMap(\.partControl))
    splitSignal.install()
    command.inputs.compactMap(\.openingNote).forEach(console.note)
    let hooks = try Hooks(unattended.hooks, of: command)
    let (devices, notes) = (
      DeviceWatch(command: command), RunNotes(of: command, failingOn: failureConditions)
    )
    let inbox = CrossThreadEvents(early: hooks.parts?.early)
    let log = try log(inbox, devices, hooks, splitSignal, notes)
    let next = session.onEvent
    let clock = command.clock
    session.onProgress = {
      clock.take($0)
      log.tell(.progress($0))
    }
    if command.isOpen {
      session.onEvent = { event in
        next?(event)
        log.tell(.participation(event))
      }
    }
    defer {
      // The closures hold the session.
      session.onProgress = nil
      session.onEvent = next
      devices.end()
      console.eraseStatus()
    }
    let report = try command.run { summary in
      if command.liveness != .none || command.isOpen { clock.begin() }
      log.tell(.started(summary))
      for sink in summary.sinks { command.outputs[sink.place]?.follow(as: sink, telling: inbox) }
    } onEnd: {
      console.eraseStatus()
      log.tell(.sessionEnded)
    } onFailure: { error in
      _ = hooks.finish(session.control, log)
      let failure = isGivenUp(interruption) ? Self.givenUp : error
      log.tell(.runFailed(failure))
      return failure
    }
    let isPartWorkDone = hooks.finish(session.control, log)
    log.tell(.runEnded(report, signal: interruption.signal))
    if report.outcome == .abandoned {
      if isGivenUp(interruption) { throw Self.givenUp }
      return interruption.exitCode ?? .failure
    }
    // A part that ends within the stored beginning is complete, and the run succeeds.
    if let input = command.inputs.first(where: \.isCutShort) { throw input.incompleteStorage }
    if !isPartWorkDone { return .failure }
    if notes.streamIsEmpty { return interruption.exitCode ?? .failure }
    return notes.conditions.isDisjoint(with: failureConditions) ? .success : .strict
  }

  /// Makes the log, with all readers in the order of delivery.
  private func log(
    _ inbox: CrossThreadEvents, _ devices: DeviceWatch, _ hooks: Hooks,
    _ splitSignal: SplitSignal, _ notes: RunNotes
  ) throws(AudioError) -> RunLog {
    let disk = DiskRoom(of: command)
    var readers: [any RunReader] = [
      disk, EventReader(command: command), notes, devices, ObserverEventReader(command: command),
    ]
    // A meter uses the status line.
    if console.showsStatus, !command.observers.haveMeter {
      readers.append(try StatusReader(of: command, activity: activity, status, disk))
    }
    readers += hooks.readers
    readers.append(AlarmWatch(of: command, unattended.alarms, disk, telling: inbox))
    if let path = unattended.metricsPath {
      readers.append(try MetricsReader(of: command, to: path, unattended.alarms, disk, hooks.parts))
    }
    if let path = unattended.logPath {
      readers.append(
        try LogReader(to: path, in: command.observers.request.civilTime, on: console))
    }
    if let service = ServiceReader(of: command, activity: activity, disk) {
      readers.append(service)
    }
    readers.append(SplitRefusalReader(command: command, signal: splitSignal))
    readers.append(SummaryReader(command: command))
    return RunLog(inbox, readers)
  }

  /// The commands that run beside the session.
  private struct Hooks {
    let parts: PartCommands?
    let alarms: AlarmCommands?

    init(_ request: HookRequest, of command: CommandSession) throws(AudioError) {
      parts = try request.partCommand.map { (line) throws(AudioError) in
        try PartCommands(running: line, request.partPolicy)
      }
      alarms = try request.alarmCommand.map { (line) throws(AudioError) in
        try AlarmCommands(running: line)
      }
      for output in command.outputs.values { output.partWork = parts?.work }
    }

    var readers: [any RunReader] {
      (parts.map { [$0] } ?? []) + (alarms.map { [$0] } ?? [])
    }

    /// Waits for them, or until a second signal.
    ///
    /// - Returns: false if parts were given up.
    func finish(_ control: SessionControl, _ log: RunLog) -> Bool {
      let isDone = parts?.finish(control, log) ?? true
      alarms?.finish(control, log)
      return isDone
    }
  }

  /// Whether a second signal made the session abandon its completion.
  private func isGivenUp(_ interruption: Interruption) -> Bool {
    endsBySignal && interruption.signal != nil && session.control.request == .abandon
  }

  private static var givenUp: AudioError {
    AudioError(
      .interrupted, cannot: "finish", "",
      because: "it was interrupted again before everything was delivered")
  }
}
