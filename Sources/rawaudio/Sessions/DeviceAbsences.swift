// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// A device that is lost and waited for: tells of it, and ends and begins the parts of what it alone feeds.
///
/// Session thread only.
struct DeviceAbsences {
  private let command: CommandSession
  private let input: SessionInput
  private let source: SourceKey
  private let device: String
  private let sampleRate: Int
  /// What nothing else feeds.
  private let outputs: [SessionOutput]

  init(of input: SessionInput, _ source: SessionSummary.Source, in command: CommandSession) {
    self.command = command
    self.input = input
    self.source = source.key
    device = input.name
    sampleRate = source.description.format.sampleRate
    let isAlone = command.inputs.count == 1 && !command.isOpen
    let places: [SinkPlace] =
      source.key == .local
      ? isAlone ? [.publish, .mixed] : [.publish] : isAlone ? [.playback, .mixed] : []
    outputs = places.compactMap { command.outputs[$0] }
  }

  /// Whether the time is left out of every output that the device feeds alone.
  var areLeftOut: Bool { !outputs.isEmpty && outputs.allSatisfy(\.leavesAbsencesOut) }

  func tell(_ absence: DeviceAbsence) {
    switch absence {
    case .began(let loss, let position):
      let begin = place(position)
      for output in outputs { output.breakOff(at: begin, sampleRate) }
      command.console.note("device '\(device)' is gone: \(loss.reason); waiting for it")
      tellAlarm(begins: true, at: position, [("reason", .string(loss.reason))])
    case .lasts: break
    case .unusable(let reason):
      command.console.note(
        "device '\(device)' cannot be used as before: \(reason.reasonAndAdvice); waiting on")
    case .ended(let gap, let isBack):
      guard isBack else { return }
      let length = gap.lostSamples ?? 0
      for output in outputs { output.goOn(at: place(gap.position + length)) }
      let seconds = Double(length) / Double(sampleRate)
      command.console.note(
        "device '\(device)' is back after \(seconds.decimal(1)) s: \(length) samples"
          + " (estimated ±\(gap.uncertainty)) \(fate)")
      tellAlarm(
        begins: false, at: gap.position + length,
        [("seconds", .number(seconds.roundedToThousandths))])
    }
  }

  private var fate: String { areLeftOut ? "are left out" : "of silence" }

  /// Where a position of the device's stream is in what is recorded of it.
  private func place(_ position: Int64) -> Int64 {
    max(
      0,
      input.located(
        DeviceGap(cause: .deviceLost, position: position, lostSamples: nil), at: sampleRate
      ).position)
  }

  private func tellAlarm(
    begins: Bool, at position: Int64, _ more: [(name: String, value: JSONValue)]
  ) {
    command.tell(
      .alarm(
        .device, begins: begins,
        [
          ("source", .string(source.description)), ("device", .string(device)),
          ("samplePosition", .integer(place(position))),
          ("sampleRate", .integer(Int64(sampleRate))),
        ] + more))
  }
}
