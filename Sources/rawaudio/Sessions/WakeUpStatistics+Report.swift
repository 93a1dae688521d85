internal import AudioCore

// How a device thread's delays are told, to people and to programs.
extension WakeUpStatistics {
  /// `1988 times, late by 63 µs (median), 111 µs (99 %), 3666 µs (at most)`.
  var line: String {
    "\(count) times, late by \(median.inMicroseconds) µs (median),"
      + " \(percentile99.inMicroseconds) µs (99 %), \(longest.inMicroseconds) µs (at most)"
  }

  /// What `docs/events.md` describes.
  var json: JSONValue {
    .object([
      ("count", .integer(Int64(count))), ("median", .integer(median.inMicroseconds)),
      ("percentile99", .integer(percentile99.inMicroseconds)),
      ("longest", .integer(longest.inMicroseconds)),
      ("histogram", .array(histogram.map(\.json))),
    ])
  }
}

extension WakeUpStatistics.DelayClass {
  fileprivate var json: JSONValue {
    .array([.integer(longest.inMicroseconds), .integer(Int64(count))])
  }
}

extension Duration {
  var inMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
