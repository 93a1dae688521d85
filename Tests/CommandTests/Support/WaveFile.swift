// SPDX-License-Identifier: Apache-2.0
/// A WAV file, read and written independently of the program.
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

  /// Parses a file; nil if its header and its size disagree by any byte.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count >= 44, Array(bytes[..<4]) == Array("RIFF".utf8),
      littleEndian(bytes, at: 4, 4) == bytes.count - 8
    else { return nil }
    var index = 12
    var format: Int?
    while index + 8 <= bytes.count {
      let size = littleEndian(bytes, at: index + 4, 4)
      switch String(decoding: bytes[index..<index + 4], as: UTF8.self) {
      case "fmt ": format = index + 8
      case "data":
        guard let format, index + 8 + size + size % 2 == bytes.count else { return nil }
        // In WAVE_FORMAT_EXTENSIBLE the encoding comes later.
        let tag =
          littleEndian(bytes, at: format, 2) == 0xFFFE
          ? littleEndian(bytes, at: format + 24, 2) : littleEndian(bytes, at: format, 2)
        self.init(
          Array(bytes[(index + 8)..<(index + 8 + size)]),
          sampleRate: littleEndian(bytes, at: format + 4, 4),
          channelCount: littleEndian(bytes, at: format + 2, 2),
          bitsPerSample: littleEndian(bytes, at: format + 14, 2),
          isFloat: tag == 3)
        return
      default: break
      }
      index += 8 + size + size % 2
    }
    return nil
  }

  var bytes: [UInt8] { bytes(claiming: nil) }

  /// Returns the bytes of the file.
  ///
  /// - Parameter claimed: the size of the samples in bytes that the header states; nil for the true one.
  func bytes(claiming claimed: Int?) -> [UInt8] {
    let sampleFrameSize = channelCount * bitsPerSample / 8
    let padding = [UInt8](repeating: 0, count: samples.count % 2)
    let size = claimed ?? samples.count
    var file = Array("RIFF".utf8) + littleEndian(36 + size + padding.count, 4)
    file += Array("WAVEfmt ".utf8) + littleEndian(16, 4) + littleEndian(isFloat ? 3 : 1, 2)
    file += littleEndian(channelCount, 2) + littleEndian(sampleRate, 4)
    file += littleEndian(sampleRate * sampleFrameSize, 4) + littleEndian(sampleFrameSize, 2)
    file += littleEndian(bitsPerSample, 2) + Array("data".utf8) + littleEndian(size, 4)
    return file + samples + padding
  }
}

extension WaveFile {
  /// Returns the body of a chunk; nil if the file has none of that name.
  static func chunk(_ id: String, of bytes: [UInt8]) -> [UInt8]? {
    var index = 12
    while index + 8 <= bytes.count {
      let size = littleEndian(bytes, at: index + 4, 4)
      if bytes[index..<index + 4].elementsEqual(id.utf8) {
        return Array(bytes[(index + 8)..<(index + 8 + size)])
      }
      index += 8 + size + size % 2
    }
    return nil
  }
}

/// Returns the number in `count` bytes from `index` on.
func littleEndian(_ bytes: [UInt8], at index: Int, _ count: Int) -> Int {
  (0..<count).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
}

/// Returns the lowest `count` bytes of `value`.
func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
