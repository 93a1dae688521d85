internal import AudioCore

extension ValueSyntax<DeviceLength> {
  /// The length of a period or a buffer of a device: `480` or `10ms`.
  static let bufferLength = ValueSyntax(name: "length", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let inMilliseconds = text.hasSuffix("ms")
    guard let value = Int(inMilliseconds ? String(text.dropLast(2)) : text), value > 0,
      // A minute, or what fits ALSA's unsigned 32-bit counts.
      value <= (inMilliseconds ? 60_000 : 1 << 30)
    else {
      throw InvalidValue("it is a count of samples per channel, or milliseconds as in 10ms")
    }
    return inMilliseconds ? .milliseconds(value) : .samplesPerChannel(value)
  }
}
