// SPDX-License-Identifier: Apache-2.0
/// The bytes of WAV files and of their samples.
enum WaveBytes {
  /// - Parameters:
  ///   - data: the bytes of the samples.
  ///   - isFloat: `true` for floating-point samples.
  ///   - claimed: the size in bytes that the header states; nil for the true one.
  static func file(
    _ data: [UInt8], bits: Int = 16, isFloat: Bool = false, channelCount: Int = 1,
    sampleRate: Int = 48_000, claimed: Int? = nil
  ) -> [UInt8] {
    WaveFile(
      data, sampleRate: sampleRate, channelCount: channelCount, bitsPerSample: bits,
      isFloat: isFloat
    ).bytes(claiming: claimed)
  }

  static func file(
    _ samples: [Int16], channelCount: Int = 1, sampleRate: Int = 48_000
  ) -> [UInt8] {
    file(bytes(samples), channelCount: channelCount, sampleRate: sampleRate)
  }

  /// Returns the samples of a WAV stream or file whose 'data' chunk is the last one.
  static func samples(_ file: [UInt8]) -> [Int16] {
    let marker = Array("data".utf8)
    guard let begin = file.indices.dropLast(7).first(where: { file[$0..<$0 + 4] == marker[...] })
    else { return [] }
    return int16s(Array(file[(begin + 8)...]))
  }

  /// Returns a little-endian file with a chunk in front of all others.
  static func file(_ file: [UInt8], with identifier: String, _ content: [UInt8]) -> [UInt8] {
    var file = file
    let padding: [UInt8] = content.count.isMultiple(of: 2) ? [] : [0]
    file.insert(
      contentsOf: Array(identifier.utf8) + littleEndian(content.count, 4) + content + padding,
      at: 12)
    file.replaceSubrange(4..<8, with: littleEndian(file.count - 8, 4))
    return file
  }

  static func bytes(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { littleEndian(Int($0), 2) }
  }

  static func int16s(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
    }
  }
}
