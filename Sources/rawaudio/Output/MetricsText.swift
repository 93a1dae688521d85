// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Metrics in the text format of Prometheus.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4, and the rules for names in
/// prometheus.io/docs/practices/naming: base units, `_total` behind counters.
struct MetricsText {
  enum Kind: String {
    case counter
    case gauge
  }

  /// One value with its labels.
  struct Sample {
    var labels: [(name: String, value: String)] = []
    var value: Double
  }

  private(set) var text = ""

  /// Appends a metric, unless it has no values.
  ///
  /// - Parameters:
  ///   - name: without the prefix `rawaudio_`.
  ///   - help: one line.
  mutating func append(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    let name = "rawaudio_\(name)"
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value.withoutSecrets))\"" }
      let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      text += "\(name)\(list) \(Self.number(sample.value))\n"
    }
  }

  /// Appends a metric of one value, unless there is none.
  mutating func append(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
    append(name, kind, help, value.map { [Sample(value: $0)] } ?? [])
  }

  /// Appends a metric with a value for each of the values of a label.
  mutating func append(
    _ name: String, _ kind: Kind, _ help: String, by label: String, _ values: [(String, Double)]
  ) {
    append(
      name, kind, help, values.map { Sample(labels: [(label, $0.0)], value: $0.1) })
  }

  /// Backslashes, quotes and line breaks have an escape.
  private static func escaped(_ value: String) -> String {
    value.map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.joined()
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if value == value.rounded(), abs(value) < 0x1p53 { return "\(Int64(value))" }
    return "\(value)"
  }
}
