internal import AudioCore

// How a pause is told, to people and to programs.
extension DevicePause {
  /// `at 0:00:12.345 (sample 592560) for 3.2 s`, `before --start for 3.2 s`.
  func line(at sampleRate: Int) -> String {
    let place = position < 0 ? "before --start" : "at \(position.place(at: sampleRate))"
    return "\(place) for \((seconds * 10).rounded() / 10) s"
  }

  /// What `docs/events.md` describes.
  func json(at sampleRate: Int) -> JSONValue {
    .object([
      ("samplePosition", .integer(position)), ("sampleRate", .integer(Int64(sampleRate))),
      ("seconds", .number(seconds.roundedToThousandths)),
    ])
  }
}
