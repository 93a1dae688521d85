// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension ValueSyntax<Duration> {
  /// `10s`, `50ms`: a time, not a count of samples.
  static let duration = ValueSyntax(name: "time") { (text: String) throws(InvalidValue) in
    guard case .time(let duration) = try ValueSyntax<TimePosition>.length.parse(text) else {
      throw InvalidValue("'\(text)' is no time; a time is for example 10s or 50ms")
    }
    return duration
  }
}
