// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension ValueSyntax<Double> {
  /// `0` to `10`.
  static let encoderQuality = ValueSyntax(name: "number", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard let value = Double(decimal: text), EncoderSettings.qualities.contains(value) else {
      throw InvalidValue("a quality is a number from 0, small, to 10, best")
    }
    return value
  }
}

extension ValueSyntax<Int> {
  /// `0` to `8`.
  static let compression = ValueSyntax(name: "level", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard let value = Int(text), EncoderSettings.compressions.contains(value) else {
      throw InvalidValue("a compression is a whole number from 0, fast, to 8, small")
    }
    return value
  }

  /// `128`, `128k` or `128000`. The value is in kbit/s.
  static let bitRate = ValueSyntax(name: "kbps") { (text: String) throws(InvalidValue) in
    let isShort = text.lowercased().hasSuffix("k")
    guard let value = Int(isShort ? String(text.dropLast()) : text), value > 0, value < 10_000_000
    else {
      throw InvalidValue("a bit rate is a whole number of kbit/s, for example 128 or 128k")
    }
    if isShort || value < 1_000 { return value }
    guard value.isMultiple(of: 1_000) else {
      throw InvalidValue("a bit rate is a whole number of kbit/s, for example 128 or 128k")
    }
    return value / 1_000
  }
}
