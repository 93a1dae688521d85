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

  /// Runs the session. It ends if an observer refuses its frames at the start. Observers are completed in any case.
  ///
  /// - Parameters:
  ///   - onStart: called when everything is settled.
  ///   - onEnd: called when the session has ended, before observers are completed.
  ///   - onFailure: called after a failure; the error that it returns is thrown, unless an observer's frames are the reason.
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

  /// Its devices, those that record first.
  var devices: [DeviceAccount] {
    inputs.compactMap(\.device).map {
      DeviceAccount(name: $0.device, priority: $0.priority, statistics: $0.statistics)
    }
      + orderedOutputs.compactMap(\.device).map {
        DeviceAccount(name: $0.device, priority: $0.priority, statistics: $0.statistics)
      }
  }

  private func runSession(_ onEnd: () -> Void) throws(AudioError) -> SessionReport {
    defer { onEnd() }
    return try session.run()
  }
}

/// A device as notes tell of it.
struct DeviceAccount {
  let name: String
  let priority: RealTimePriority?
  let statistics: DeviceStatistics
}
