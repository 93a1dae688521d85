/// One frame as a line of an event log tells it.
struct FrameEvent {
  /// The members, in the order of `docs/events.md`.
  let json: JSONValue

  init(
    _ frame: borrowing AudioFrame<Double>, at position: ObservationPosition, index: Int64,
    _ levels: [Level], late: Int64?
  ) {
    var members: [(name: String, value: JSONValue)] = [
      ("schema", .integer(EventObserver.schemaVersion)),
      ("position", .string(position.rawValue)),
      ("source", Self.name(frame.source)),
      ("group", Self.name(frame.group)),
      ("index", .integer(index)),
      ("samplePosition", .integer(frame.samplePosition)),
      ("renderTime", .integer(frame.renderTime)),
      ("sampleRate", .integer(Int64(frame.sampleRate))),
      ("samplesPerChannel", .integer(Int64(frame.samplesPerChannel))),
      ("peak", .array(levels.map { Self.rounded($0.peakDecibels) })),
      ("rms", .array(levels.map { Self.rounded($0.rmsDecibels) })),
      ("clipped", .integer(levels.reduce(0) { $0 + $1.clippedSamples })),
    ]
    if let late { members.append(("late", .integer(late))) }
    json = .object(members)
  }

  private static func name(_ id: SourceID?) -> JSONValue {
    id.map { .string($0.description) } ?? .null
  }

  /// To a thousandth of a decibel; −∞ becomes null.
  private static func rounded(_ decibels: Double) -> JSONValue {
    .number((decibels * 1_000).rounded() / 1_000)
  }
}
