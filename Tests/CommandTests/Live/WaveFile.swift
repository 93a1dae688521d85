/// A WAV file, read and written here independently of the program.
struct WaveFile {
  var sampleRate: Int
  var channelCount: Int
  var bitsPerSample: Int
  var isFloat = false
  var samples: [UInt8]

  init(
    _ samples: [UInt8], sampleRate: Int = 44_100, channelCount: Int = 2, bitsPerSample: Int = 16,
    isFloat: Bool = false
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.bitsPerSample = bitsPerSample
    self.isFloat = isFloat
    self.samples = samples
  }

  /// The file; nil where its header and its size do not agree to the byte.
  init?(parsing bytes: [UInt8]) {
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    guard bytes.count >= 44, Array(bytes[..<4]) == Array("RIFF".utf8),
      number(4, 4) == bytes.count - 8
    else { return nil }
    var place = 12
    var format: Int?
    while place + 8 <= bytes.count {
      let size = number(place + 4, 4)
      switch String(decoding: bytes[place..<place + 4], as: UTF8.self) {
      case "fmt ": format = place + 8
      case "data":
        guard let format, place + 8 + size + size % 2 == bytes.count else { return nil }
        // WAVE_FORMAT_EXTENSIBLE keeps the encoding further behind.
        let tag = number(format, 2) == 0xFFFE ? number(format + 24, 2) : number(format, 2)
        self.init(
          Array(bytes[(place + 8)..<(place + 8 + size)]), sampleRate: number(format + 4, 4),
          channelCount: number(format + 2, 2), bitsPerSample: number(format + 14, 2),
          isFloat: tag == 3)
        return
      default: break
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  var bytes: [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let sampleFrameSize = channelCount * bitsPerSample / 8
    let padding = [UInt8](repeating: 0, count: samples.count % 2)
    var file = Array("RIFF".utf8) + number(36 + samples.count + padding.count, 4)
    file += Array("WAVEfmt ".utf8) + number(16, 4) + number(isFloat ? 3 : 1, 2)
    file += number(channelCount, 2) + number(sampleRate, 4)
    file += number(sampleRate * sampleFrameSize, 4) + number(sampleFrameSize, 2)
    file += number(bitsPerSample, 2) + Array("data".utf8) + number(samples.count, 4)
    return file + samples + padding
  }
}
