/// What can go wrong with an external program.
enum ProgramFault {
  case ended(ChildEnding)
  case closedInput
  case closedOutput
  /// It gave back more or fewer samples than it was given.
  case miscounted(strayBytes: Int)
  case flooded
  /// Fewer samples than the stream has.
  case fellShort(strayBytes: Int)
  case stalled(Duration)
  case neverEnded(Duration)
}

extension ProgramPort {
  func error(_ fault: ProgramFault) -> AudioError {
    let command = program.command.split(whereSeparator: \.isNewline).joined(separator: " ")
    let given = statistics.samplesIn
    let back = statistics.samplesOut
    let counts =
      switch mode {
      case .readOnly: "\(given) samples per channel in"
      case .readWrite: "\(given) samples per channel in, \(back) out"
      case .writeOnly: "\(back) samples per channel out"
      }
    var kind = AudioError.Kind.inputOutput
    var advice: String?
    let reason: String
    switch fault {
    case .ended(.exited(127)) where back == 0:
      kind = .notFound
      reason = "no such program"
      advice = "check its name and PATH"
    case .ended(.exited(126)) where back == 0:
      kind = .unavailable
      reason = "it is not an executable program"
    case .ended(let ending):
      reason = "\(ending) (\(counts))"
      // It thinks it is done: whether that shows here or in the counts is a matter of time only.
      if ending.isSuccess, mode == .readWrite { advice = Self.equalCounts }
    case .closedInput: reason = "it closed its input too early (\(counts))"
    case .closedOutput: reason = "it closed its output too early (\(counts))"
    case .miscounted(let strayBytes):
      reason = "it gave \(amount(back, strayBytes)) for \(given)"
      advice = Self.equalCounts
    case .flooded:
      reason = "it gave more than \(back) samples per channel for \(given)"
      advice = Self.equalCounts
    case .fellShort(let strayBytes):
      reason = "it gave only \(amount(back, strayBytes)), fewer than the stream has"
    case .stalled(let time):
      reason = "neither its input nor its output moved for \(time) (\(counts))"
      advice = "give it a longer timeout if it needs one"
    case .neverEnded(let time):
      reason = "it did not end within \(time) of the end of its input (\(counts))"
      advice = "give it a longer timeout if it needs one"
    }
    return AudioError(kind, cannot: "run", command, because: reason, advice: advice)
  }

  private static var equalCounts: String {
    "a read-write program must give back exactly what it is given"
  }

  private func amount(_ samples: Int64, _ strayBytes: Int) -> String {
    let rest = strayBytes == 0 ? "" : " and \(strayBytes) byte\(strayBytes == 1 ? "" : "s")"
    return "\(samples) samples per channel\(rest)"
  }
}
