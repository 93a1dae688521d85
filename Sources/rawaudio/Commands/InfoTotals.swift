// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The sums over all files that `info` looked at. Their size does not grow with the number of files.
struct InfoTotals {
  /// One file's share.
  struct Share: Sendable {
    var container: String
    var encoding: String
    /// Hertz.
    var sampleRate: Int
    /// Nil if it is unknown until the file is read.
    var samplesPerChannel: Int64?
    /// In seconds. Nil if it is unknown.
    var duration: Double?
    /// Nil if it is no regular file.
    var bytes: Int64?
  }

  private struct Format: Hashable {
    var container: String
    var encoding: String
  }

  private var (files, failures, withoutDuration) = (0, 0, 0)
  private var bytes: Int64 = 0
  private var duration = 0.0
  private var samples: [Int: Int64] = [:]
  private var formats: [Format: Int] = [:]

  /// - Parameter share: nil for a failure.
  mutating func add(_ share: Share?) {
    guard let share else {
      failures += 1
      return
    }
    files += 1
    bytes += share.bytes ?? 0
    if let length = share.duration { duration += length } else { withoutDuration += 1 }
    if let count = share.samplesPerChannel { samples[share.sampleRate, default: 0] += count }
    formats[Format(container: share.container, encoding: share.encoding), default: 0] += 1
  }

  private var orderedSamples: [(rate: Int, count: Int64)] {
    samples.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The most frequent first.
  private var orderedFormats: [(format: Format, count: Int)] {
    formats.map { ($0.key, $0.value) }.sorted {
      ($1.1, $0.0.container, $0.0.encoding) < ($0.1, $1.0.container, $1.0.encoding)
    }
  }

  /// One line for each sum.
  var text: String {
    let unknown = withoutDuration > 0 ? ", and of \(withoutDuration.counted("file")) unknown" : ""
    var lines = [
      ("files", "\(files)"), ("failures", "\(failures)"), ("bytes", "\(bytes)"),
      ("duration", clockTime(Int64((duration * 1_000).rounded()), at: 1_000) + unknown),
    ]
    for (rate, count) in orderedSamples {
      lines.append(("at \(rate) Hz", "\(count) samples per channel"))
    }
    for (format, count) in orderedFormats {
      lines.append(
        ("format", "\(format.container), \(format.encoding): \(count.counted("file"))".printable))
    }
    return FileFacts.page(lines)
  }

  /// An object with the member `totals`.
  var json: JSONValue {
    let samples = orderedSamples.map { rate, count in
      JSONValue.object([
        ("sampleRate", .integer(Int64(rate))), ("samplesPerChannel", .integer(count)),
      ])
    }
    let formats = orderedFormats.map { format, count in
      JSONValue.object([
        ("container", .string(format.container)), ("encoding", .string(format.encoding)),
        ("files", .integer(Int64(count))),
      ])
    }
    let members: [(String, JSONValue)] = [
      ("files", .integer(Int64(files))), ("failures", .integer(Int64(failures))),
      ("bytes", .integer(bytes)), ("duration", .number(duration)),
      ("withoutDuration", .integer(Int64(withoutDuration))), ("samples", .array(samples)),
      ("formats", .array(formats)),
    ]
    return .object([("totals", .object(members))])
  }
}
