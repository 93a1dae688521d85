// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The values of bytes in every encoding: minimum, one unit inside, around the centre, maximum.
@Suite struct DecodeTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var storage: SampleLayout.Storage
    /// Most significant byte first.
    var bytes: [UInt8]
    var sample: Double

    init(_ storage: SampleLayout.Storage, _ bytes: [UInt8], _ sample: Double) {
      self.storage = storage
      self.bytes = bytes
      self.sample = sample
    }

    var testDescription: String { "\(storage) \(bytes)" }
  }

  static let rows = [
    Row(.s8, [0x80], -1),
    Row(.s8, [0x81], -1 + 0x1p-7),
    Row(.s8, [0xFF], -0x1p-7),
    Row(.s8, [0x00], 0),
    Row(.s8, [0x01], 0x1p-7),
    Row(.s8, [0x7F], 1 - 0x1p-7),

    Row(.u8, [0x00], -1),
    Row(.u8, [0x01], -1 + 0x1p-7),
    Row(.u8, [0x7F], -0x1p-7),
    Row(.u8, [0x80], 0),
    Row(.u8, [0x81], 0x1p-7),
    Row(.u8, [0xFF], 1 - 0x1p-7),

    Row(.s16, [0x80, 0x00], -1),
    Row(.s16, [0x80, 0x01], -1 + 0x1p-15),
    Row(.s16, [0xFF, 0xFF], -0x1p-15),
    Row(.s16, [0x00, 0x00], 0),
    Row(.s16, [0x00, 0x01], 0x1p-15),
    Row(.s16, [0x40, 0x00], 0.5),
    Row(.s16, [0x7F, 0xFF], 1 - 0x1p-15),

    Row(.s24, [0x80, 0x00, 0x00], -1),
    Row(.s24, [0x80, 0x00, 0x01], -1 + 0x1p-23),
    Row(.s24, [0xFF, 0xFF, 0xFF], -0x1p-23),
    Row(.s24, [0x00, 0x00, 0x00], 0),
    Row(.s24, [0x00, 0x00, 0x01], 0x1p-23),
    Row(.s24, [0x40, 0x00, 0x00], 0.5),
    Row(.s24, [0x7F, 0xFF, 0xFF], 1 - 0x1p-23),

    Row(.s24In32, [0xFF, 0x80, 0x00, 0x00], -1),
    Row(.s24In32, [0xFF, 0x80, 0x00, 0x01], -1 + 0x1p-23),
    Row(.s24In32, [0xFF, 0xFF, 0xFF, 0xFF], -0x1p-23),
    Row(.s24In32, [0x00, 0x00, 0x00, 0x00], 0),
    Row(.s24In32, [0x00, 0x00, 0x00, 0x01], 0x1p-23),
    Row(.s24In32, [0x00, 0x7F, 0xFF, 0xFF], 1 - 0x1p-23),

    Row(.s32, [0x80, 0x00, 0x00, 0x00], -1),
    Row(.s32, [0x80, 0x00, 0x00, 0x01], -1 + 0x1p-31),
    Row(.s32, [0xFF, 0xFF, 0xFF, 0xFF], -0x1p-31),
    Row(.s32, [0x00, 0x00, 0x00, 0x00], 0),
    Row(.s32, [0x00, 0x00, 0x00, 0x01], 0x1p-31),
    Row(.s32, [0x40, 0x00, 0x00, 0x00], 0.5),
    Row(.s32, [0x7F, 0xFF, 0xFF, 0xFF], 1 - 0x1p-31),

    Row(.f32, [0xBF, 0x80, 0x00, 0x00], -1),
    Row(.f32, [0x80, 0x00, 0x00, 0x00], -0.0),
    Row(.f32, [0x00, 0x00, 0x00, 0x01], 0x1p-149),
    Row(.f32, [0x3F, 0x7F, 0xFF, 0xFF], 1 - 0x1p-24),
    Row(.f32, [0x3F, 0x80, 0x00, 0x01], 1 + 0x1p-23),
    Row(.f32, [0x7F, 0x7F, 0xFF, 0xFF], 0x1.fffffep127),
    Row(.f32, [0xFF, 0x80, 0x00, 0x00], -.infinity),

    Row(.f64, [0xBF, 0xF0, 0, 0, 0, 0, 0, 0], -1),
    Row(.f64, [0x80, 0x00, 0, 0, 0, 0, 0, 0], -0.0),
    Row(.f64, [0x00, 0x00, 0, 0, 0, 0, 0, 1], 0x1p-1074),
    Row(.f64, [0x3F, 0xEF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1 - 0x1p-53),
    Row(.f64, [0x7F, 0xEF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .greatestFiniteMagnitude),
    Row(.f64, [0xFF, 0xF0, 0, 0, 0, 0, 0, 0], -.infinity),

    Row(.ulaw, [0x00], -8031 * 0x1p-13),
    Row(.ulaw, [0x7F], -0.0),
    Row(.ulaw, [0xFF], 0),
    Row(.ulaw, [0xFE], 2 * 0x1p-13),
    Row(.ulaw, [0x80], 8031 * 0x1p-13),

    Row(.alaw, [0x2A], -4032 * 0x1p-12),
    Row(.alaw, [0x55], -0x1p-12),
    Row(.alaw, [0xD5], 0x1p-12),
    Row(.alaw, [0xAA], 4032 * 0x1p-12),
  ]

  /// In both byte orders, exact in `Double` and rounded once to `Float`; and back, if the sample type holds it.
  @Test(arguments: rows)
  func meansTheSampleAndComesBack(_ row: Row) {
    for order in [ByteOrder.big, .little] {
      let layout = SampleLayout(row.storage, order)
      let bytes = order == .big ? row.bytes : row.bytes.reversed()
      let double: [Double] = decode(bytes, as: layout)
      let float: [Float] = decode(bytes, as: layout)
      #expect(double.map(\.bitPattern) == [row.sample.bitPattern])
      #expect(float.map(\.bitPattern) == [Float(row.sample).bitPattern])
      // An infinity is stored unchanged, and counted.
      let outside = row.sample.isFinite ? 0 : 1
      #expect(encode(double, as: layout) == (bytes, outside))
      if Double(Float(row.sample)) == row.sample {
        #expect(encode(float, as: layout) == (bytes, outside))
      }
    }
  }

  @Test func notANumberStaysOne() {
    let single: [Double] = decode([0x7F, 0xC0, 0x00, 0x00], as: SampleLayout(.f32, .big))
    let double: [Float] = decode(
      [0xFF, 0xF8, 0, 0, 0, 0, 0, 0], as: SampleLayout(.f64, .big))
    #expect(single[0].isNaN && double[0].isNaN)
  }
}
