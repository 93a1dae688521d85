// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The session of a command, with the data for its reports.
struct CommandSession {
  let session: Session
  /// The inputs in the order of the session.
  let inputs: [SessionInput]
  let outputs: [SinkPlace: SessionOutput]
  let observers: InstalledObservers
  let console: Console
  /// The time of day of each sample.
  let clock: RunClock
  let timeline: TimelineRequest
  /// The copying of packets that takes the place of the session's run. Nil if samples are decoded.
  var copying: PacketCopying?
  /// The rate requested from the device, in hertz.
  let requestedSampleRate: Int?

  /// Sets the sinks of a session whose sources are set, and installs the observers of the command line.
  ///
  /// - Parameters:
  ///   - duration: of a source that is mixed in and has none.
  ///   - isOpen: whether sources join while it runs.
  init(
    _ session: Session, from inputs: [SessionInput], to outputs: [SinkPlace: SessionOutput],
    _ observation: ObserverList, duration: TimePosition?, isOpen: Bool = false,
    timeline: TimelineRequest = TimelineRequest(), requestedSampleRate: Int? = nil,
    on console: Console
  ) throws(AudioError) {
    let isLive =
      isOpen || inputs.contains { $0.liveness == .live }
      || outputs.values.contains { $0.plan.sink.isLive }
    self.session = session
    self.inputs = inputs
    self.outputs = outputs
    clock = RunClock(in: outputs.values.first?.civilTime ?? .local)
    var observation = observation
    for (place, output) in outputs {
      output.clock = clock
      try session.setSink(output, at: place)
      observation.limit(by: output.passingLimit)
    }
    observers = try InstalledObservers(
      observation, on: session, console: console, isLive: isLive, isOpen: isOpen,
      duration: duration, clock: clock)
    self.console = console
    self.timeline = timeline
    self.requestedSampleRate = requestedSampleRate
  }

  var liveness: Liveness { inputs.map(\.liveness).max() ?? .none }

  /// The outputs in the order of the session.
  var orderedOutputs: [SessionOutput] { outputs.sorted { $0.key < $1.key }.map(\.value) }

  /// Runs the session. It ends if an observer refuses its frames at the start. Observers are always completed.
  ///
  /// - Parameters:
  ///   - onStart: called when the setup is complete.
  ///   - onEnd: called after the session, before observers are completed.
  ///   - onFailure: called after a failure. Its result is thrown, unless the cause is an observer's frames.
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
      do {
        defer { onEnd() }
        report =
          if let copying { try copying.run(in: self) } else { try session.run() }
      }
      try observers.finish()
    } catch {
      try? observers.finish()
      let failure = onFailure(error)
      if let mistake = observers.usageError ?? rejection ?? observers.request.usageError(error) {
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

  var liveSources: [any ReadableEnd] { inputs.compactMap(\.device) }

  /// Its devices: inputs, then outputs.
  var devices: [any LiveEnd] { liveSources + orderedOutputs.compactMap(\.device) }
}
