/// The length of a period or a buffer of a device, as a command line names it.
enum BufferLength: Sendable, Hashable {
  /// Samples per channel.
  case samples(Int)
  case milliseconds(Int)

  /// Samples per channel at `rate`; milliseconds are rounded up to whole samples.
  func samplesPerChannel(at rate: Int) -> Int {
    switch self {
    case .samples(let count): count
    case .milliseconds(let duration): (duration * rate + 999) / 1_000
    }
  }
}

extension ValueSyntax<BufferLength> {
  static let bufferLength = ValueSyntax(name: "length", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let inMilliseconds = text.hasSuffix("ms")
    guard let value = Int(inMilliseconds ? String(text.dropLast(2)) : text), value > 0,
      // A minute, or what fits ALSA's unsigned 32-bit counts.
      value <= (inMilliseconds ? 60_000 : 1 << 30)
    else {
      throw InvalidValue("it is a count of samples per channel, or milliseconds as in 10ms")
    }
    return inMilliseconds ? .milliseconds(value) : .samples(value)
  }
}
