// SPDX-License-Identifier: Apache-2.0
/// The parts of a layer III frame's side information that show whether a decoder returns its samples.
///
/// Source: ISO/IEC 11172-3, section 2.4.1.7, and 13818-3, section 2.4.1.7; the bounds follow mpg123 1.31 (`layer3.c`).
struct MpegSideInformation {
  /// The distance from the frame's main data back to the first byte that belongs to the frame.
  let mainDataBegin: Int
  /// The bits of the frame's main data.
  private(set) var bitCount = 0
  /// Whether no granule has a forbidden kind of block.
  private(set) var isValid = true

  /// - Parameters:
  ///   - frame: the frame from its header to the end of the side information, at least.
  ///   - header: its header.
  init(_ frame: [UInt8], _ header: MpegFrameHeader) {
    let bits = BitReader(frame[header.sideInformation])
    let isFirst = header.isFirstVersion
    let channelCount = header.channelCount
    mainDataBegin = bits.value(at: 0, isFirst ? 9 : 8)
    // Private bits and, in MPEG-1, four bits for each channel follow.
    var place =
      isFirst
      ? 9 + (channelCount == 1 ? 5 : 3) + 4 * channelCount : 8 + (channelCount == 1 ? 1 : 2)
    let size = isFirst ? 59 : 63
    for _ in 0..<(isFirst ? 2 : 1) * channelCount {
      bitCount += bits.value(at: place, 12)
      // The values, the gain and the scale factors' sizes lie between the length and the window's flag.
      let window = place + 29 + (isFirst ? 4 : 9)
      if bits.value(at: window, 1) == 1, bits.value(at: window + 1, 2) == 0 { isValid = false }
      place += size
    }
  }

  /// Returns a frame whose side information describes silence, so that a decoder needs no byte of earlier frames.
  ///
  /// The main data stay, because later frames refer to them.
  ///
  /// - Parameter mainDataBegin: at most the bytes of main data that the decoder has received before.
  static func silence(
    _ frame: [UInt8], _ header: MpegFrameHeader, mainDataBegin: Int
  ) -> [UInt8] {
    var frame = frame
    let place = header.sideInformation
    for index in place { frame[index] = 0 }
    if header.isFirstVersion {
      frame[place.lowerBound] = UInt8(mainDataBegin >> 1)
      // A decoder takes a first frame without any such bit for an encoder's header. These are private.
      frame[place.lowerBound + 1] = UInt8(mainDataBegin & 1) << 7 | 0x40
    } else {
      frame[place.lowerBound] = UInt8(mainDataBegin)
      frame[place.lowerBound + 1] = 0x80
    }
    return frame
  }
}

/// Bits of a few bytes, the most significant one first.
private struct BitReader {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  func value(at place: Int, _ count: Int) -> Int {
    var value = 0
    for index in place / 8...(place + count - 1) / 8 {
      value = value << 8 | Int(bytes[bytes.startIndex + index])
    }
    return value >> (7 - (place + count - 1) % 8) & (1 << count - 1)
  }
}
