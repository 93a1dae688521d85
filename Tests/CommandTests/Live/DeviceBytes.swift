// SPDX-License-Identifier: Apache-2.0
/// Samples in the encodings of devices.
enum DeviceBytes {
  /// Returns noise over the whole range of any integer encoding.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var noise = Noise(seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { bytes += littleEndian(noise.next()) }
    return Array(bytes.prefix(count))
  }

  /// Returns noise of 24 significant bits as 32-bit float, which passes a float device unchanged.
  static func floatNoise(_ samples: Int) -> [UInt8] {
    let integers = noise(3 * samples)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * samples)
    for index in stride(from: 0, to: integers.count, by: 3) {
      var word = Int32(integers[index]) << 8
      word |= Int32(integers[index + 1]) << 16
      word |= Int32(integers[index + 2]) << 24
      bytes += littleEndian((Float(word >> 8) / 8_388_608).bitPattern)
    }
    return bytes
  }

  /// Returns three-byte samples sign-extended to four bytes: ALSA's S24_LE.
  static func padded24(_ bytes: [UInt8]) -> [UInt8] {
    var padded: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 3) {
      padded += bytes[index..<index + 3]
      padded.append(bytes[index + 2] < 0x80 ? 0 : 0xFF)
    }
    return padded
  }

  /// Returns 16-bit samples in the upper half of 32 bits, the result of lossless widening.
  static func widened16(_ bytes: [UInt8]) -> [UInt8] {
    var widened: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 2) {
      widened += [0, 0]
      widened += bytes[index..<index + 2]
    }
    return widened
  }

  /// Returns each 16-bit sample twice: one channel on two channels.
  static func doubled16(_ bytes: [UInt8]) -> [UInt8] {
    var doubled: [UInt8] = []
    for index in stride(from: 0, to: bytes.count, by: 2) {
      doubled += bytes[index..<index + 2]
      doubled += bytes[index..<index + 2]
    }
    return doubled
  }

  static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
