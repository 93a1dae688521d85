// SPDX-License-Identifier: Apache-2.0
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

  /// To those who read JSON as JSON, and else as a note.
  private func tell(_ line: JSONValue, note: String, isDetail: Bool = false) {
    observers.tell(line)
    if timeline.tellsJSON {
      console.json(line)
    } else if isDetail {
      console.detail(note)
    } else {
      console.note(note)
    }
  }
}

extension ClockStep {
  /// How far, and which way: `1:00:00.000 forward`.
  private var distance: String {
    let thousandths = (nanoseconds.magnitude + 500_000) / 1_000_000
    func digits(_ number: UInt64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (seconds, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    let time = "\(seconds / 3_600):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
    return "\(time).\(digits(rest, 3)) \(nanoseconds < 0 ? "back" : "forward")"
  }

  /// For people.
  fileprivate func line(in civilTime: CivilTime) -> String {
    "the clock went \(distance) at sample \(position), and shows \(civilTime.description(of: time))"
  }

  /// Of the output with that name.
  fileprivate func json(of name: String, in civilTime: CivilTime) -> JSONValue {
    .object([
      ("schema", .integer(EventObserver.schemaVersion)), ("event", .string("clock-step")),
      ("name", .path(name)), ("samplePosition", .integer(position)),
      ("sampleRate", .integer(Int64(sampleRate))),
      ("seconds", .number((Double(nanoseconds) / 1e9).roundedToThousandths)),
      ("time", .string(civilTime.description(of: time))),
    ])
  }
}
