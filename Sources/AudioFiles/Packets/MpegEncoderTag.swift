// SPDX-License-Identifier: Apache-2.0
/// The header of an encoder in the first frame of MPEG audio, with the samples that decoders drop at both ends.
///
/// Source: LAME 3.100, `VbrTag.c`.
struct MpegEncoderTag {
  /// The samples per channel that the encoder put in front, without the decoder's own delay, and behind the sound.
  let delay: Int
  let padding: Int
  /// Whether all frames have one bit rate.
  let isConstant: Bool
  /// The encoder's name in nine bytes; nil = unknown.
  let name: [UInt8]?

  private static let entries = 100
  private static let nameSize = 9
  /// Decoders take the delay only behind a name that begins with these.
  private static let knownNames = ["LAME", "Lavf", "Lavc"]
  /// The word, the flags, the frames, the bytes, the table, the quality and LAME's fields.
  private static let size = 4 + 4 + 4 + 4 + entries + 4 + 36

  /// The name in the first frame of another stream; nil if decoders do not know it.
  static func name(_ frame: [UInt8]) -> [UInt8]? {
    guard let header = MpegFrameHeader(frame) else { return nil }
    let start = header.encoderHeaderOffset + 8
    guard frame.count >= start, let flags = frame.dropFirst(start - 1).first else { return nil }
    let place =
      start + (flags & 1 == 0 ? 0 : 4) + (flags & 2 == 0 ? 0 : 4)
      + (flags & 4 == 0 ? 0 : entries) + (flags & 8 == 0 ? 0 : 4)
    guard knownNames.contains(where: { frame.has($0, at: place) }), frame.count >= place + nameSize
    else { return nil }
    return Array(frame[place..<place + nameSize])
  }

  /// - Parameters:
  ///   - first: a header of the stream.
  ///   - sizes: of the frames that follow, in bytes.
  func frame(like first: MpegFrameHeader, _ sizes: [Int]) -> [UInt8] {
    let start = first.encoderHeaderOffset
    // A player that reads only this frame finds the bit rate of the stream.
    let least = max(start + Self.size, isConstant ? first.byteCount - 1 : 0)
    guard let (word, header) = first.sized(atLeast: least) else { return [] }
    let total = sizes.reduce(header.byteCount, +)
    var bytes = word + [UInt8](repeating: 0, count: start - 4)
    bytes += (isConstant ? "Info" : "Xing").utf8
    bytes.append(0x0F, 4, .big)
    bytes.append(sizes.count, 4, .big)
    bytes.append(total, 4, .big)
    bytes += table(sizes, header.byteCount, total)
    bytes.append(0, 4, .big)
    bytes += name ?? Array("LAME     ".utf8)
    // The method: constant, or variable of an unknown kind. Then 9 bytes of levels, the flags and the bit rate.
    bytes.append(isConstant ? 1 : 0, 1, .big)
    bytes += [UInt8](repeating: 0, count: 11)
    bytes.append(UInt64(delay) << 12 | UInt64(padding), 3, .big)
    bytes += [UInt8](repeating: 0, count: 4)
    bytes.append(total, 4, .big)
    bytes.append(0, 2, .big)
    bytes.append(Self.checksum(bytes), 2, .big)
    return bytes + [UInt8](repeating: 0, count: header.byteCount - bytes.count)
  }

  /// The place of each hundredth of the time, in 256ths of the bytes.
  private func table(_ sizes: [Int], _ head: Int, _ total: Int) -> [UInt8] {
    var (place, index) = (head, 0)
    return (0..<Self.entries).map { entry in
      while index < sizes.count * entry / Self.entries {
        place += sizes[index]
        index += 1
      }
      return UInt8(clamping: place * 256 / max(1, total))
    }
  }

  /// CRC-16 of the bytes up to its own place: the polynomial 0x8005, reflected.
  private static func checksum(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { value, byte in
      (0..<8).reduce(value ^ UInt16(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1
      }
    }
  }
}
