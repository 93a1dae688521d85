// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension CommandSession {
  /// Prints what happened to parts since the last call.
  func tellNotices() {
    for output in orderedOutputs {
      for notice in output.notices.take() {
        switch notice {
        case .step(let step):
          tell(
            step.json(of: output.name, in: output.civilTime),
            note: "'\(output.name)': \(step.line(in: output.civilTime))")
        case .removal(let removal):
          tell(
            removal.json(of: output.name), note: removal.line, isDetail: removal.failure == nil)
        }
      }
    }
  }
}

extension ClockStep {
  /// How far, and which way: `1:00:00.000 forward`.
  private var distance: String {
    let milliseconds = Int64((nanoseconds.magnitude + 500_000) / 1_000_000)
    return "\(clockTime(milliseconds, at: 1_000)) \(nanoseconds < 0 ? "back" : "forward")"
  }

  /// For people.
  fileprivate func line(in civilTime: CivilTime) -> String {
    "the clock went \(distance) at sample \(position), and shows \(civilTime.description(of: time))"
  }

  /// Of the output with that name.
  fileprivate func json(of name: String, in civilTime: CivilTime) -> JSONValue {
    .event(
      "clock-step",
      [
        ("name", .path(name)), ("samplePosition", .integer(position)),
        ("sampleRate", .integer(Int64(sampleRate))),
        ("seconds", .number((Double(nanoseconds) / 1e9).roundedToThousandths)),
        ("time", .string(civilTime.description(of: time))),
      ])
  }
}

extension PartRemoval {
  /// For people.
  fileprivate var line: String {
    if let failure { return "cannot remove the old part '\(path)': \(failure); it stays" }
    let reason = cause == .age ? "it is older than --keep says" : "all are larger than --keep says"
    return "removed '\(path)', \(bytes) bytes: \(reason)"
  }

  /// Of the output with that name.
  fileprivate func json(of name: String) -> JSONValue {
    .event(
      "part-removed",
      [
        ("name", .path(name)), ("path", .path(path)), ("bytes", .integer(bytes)),
        ("cause", .string(cause.rawValue)), ("error", failure.map { .string($0) } ?? .null),
      ])
  }
}
