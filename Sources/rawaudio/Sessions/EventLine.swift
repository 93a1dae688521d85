// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension JSONValue {
  /// A line of JSON about something that happened; `docs/events.md` describes them.
  static func event(_ name: String, _ members: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(
      [("schema", .integer(EventObserver.schemaVersion)), ("event", .string(name))] + members)
  }

  /// That something is not as it should be, or is again.
  static func alarm(
    _ kind: AlarmKind, begins: Bool, _ members: [(name: String, value: JSONValue)]
  ) -> JSONValue {
    event(
      "alarm",
      [
        ("alarm", .string(kind.rawValue)), ("state", .string(begins ? "begin" : "end")),
      ] + members)
  }
}

extension CommandSession {
  /// Tells every observer that tells in JSON, and with `--json` the user.
  func tell(_ line: JSONValue) {
    observers.tell(line)
    if timeline.tellsJSON { console.json(line) }
  }

  /// To those who read JSON as JSON, and else as a note.
  ///
  /// - Parameters:
  ///   - note: nil where people are told in another way.
  ///   - isDetail: whether the note is for `-v` only.
  func tell(_ line: JSONValue, note: String?, isDetail: Bool = false) {
    tell(line)
    guard !timeline.tellsJSON, let note else { return }
    if isDetail { console.detail(note) } else { console.note(note) }
  }
}
