internal import AudioCore

/// Where a recording is split into parts, as a command line says it.
enum SplitPoint: Sendable, Hashable {
  case limit(SplittingSink.Limit)
  /// Only where SIGUSR1 asks for it.
  case signal
}

extension ValueSyntax<SplitPoint> {
  /// `60`, `1:30`, `44100s`, `2GiB`, `700MB`, `event` or `signal`.
  static let splitPoint = ValueSyntax(name: "point", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    switch text.lowercased() {
    case "event": return .limit(.event)
    case "signal": return .signal
    default: break
    }
    if let size = try FileSize(text) { return .limit(.fileSize(size.bytes)) }
    let time: TimePosition
    do throws(InvalidValue) {
      time = try TimePosition(text)
    } catch {
      throw InvalidValue(
        "it is a time (60, 1:30:00), a size (2GiB, 700MB), 'event' or 'signal'")
    }
    switch time {
    case .samples(let count) where count < 1_000:
      throw InvalidValue("\(text) means \(count) samples; for seconds leave the s away")
    case .time(let duration) where duration < .milliseconds(10):
      throw InvalidValue("a part lasts 10 ms at least")
    default: return .limit(.duration(time))
    }
  }
}
