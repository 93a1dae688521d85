internal import AudioCore

// How a gap is told, to people and to programs.
extension DeviceGap {
  /// `1234 samples`, `1234 samples (estimated ±48)`, `an unknown number of samples`.
  var extent: String {
    guard let lostSamples else { return "an unknown number of samples" }
    let accuracy = isEstimated ? " (estimated ±\(uncertainty))" : ""
    return "\(lostSamples) \(lostSamples == 1 ? "sample" : "samples")\(accuracy)"
  }

  /// The text of a mark in a file: `xrun 1234 samples (estimated ±48)`.
  var label: String { "\(cause.name) \(extent)" }

  /// `overrun at 0:00:12.345 (sample 592560): 1234 samples (estimated ±48)`, `overrun before --start: …`.
  func line(at sampleRate: Int) -> String {
    let times = occurrences > 1 ? ", \(occurrences) times" : ""
    let place = position < 0 ? "before --start" : "at \(position.place(at: sampleRate))"
    return "\(cause.noun) \(place): \(extent)\(times)"
  }

  /// What `docs/events.md` describes.
  func members(at sampleRate: Int) -> [(name: String, value: JSONValue)] {
    [
      ("cause", .string(cause.name)), ("samplePosition", .integer(position)),
      ("sampleRate", .integer(Int64(sampleRate))),
      ("lostSamples", lostSamples.map { .integer($0) } ?? .null),
      ("estimated", .boolean(isEstimated)), ("uncertainty", .integer(uncertainty)),
      ("occurrences", .integer(Int64(occurrences))),
    ]
  }
}

extension Int64 {
  /// A place in a stream, in samples per channel, for people: `0:00:12.345 (sample 592560)`.
  func place(at sampleRate: Int) -> String {
    func padded(_ value: Int64, _ width: Int) -> String {
      let digits = "\(value)"
      return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
    let rate = Int64(sampleRate)
    let (seconds, milliseconds) = (self / rate, self % rate * 1_000 / rate)
    return "\(seconds / 3_600):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + ".\(padded(milliseconds, 3)) (sample \(self))"
  }
}

extension DeviceGap.Cause {
  var name: String {
    switch self {
    case .xrun: "xrun"
    case .suspend: "suspend"
    case .ringOverflow: "overflow"
    case .fault: "fault"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .xrun: "overrun"
    case .suspend: "suspend"
    case .ringOverflow: "full ring"
    case .fault: "restart"
    }
  }
}
