// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The encoding of a sample in every integer and floating-point layout, in units of its last bit.
@Suite struct EncodeTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// Units beyond `from`.
    var units: Double
    var from: Place
    /// Units beyond `from` that are stored.
    var stored: Int64
    var isClipped: Bool

    init(_ from: Place, _ units: Double, gives stored: Int64, clipped isClipped: Bool = false) {
      self.from = from
      self.units = units
      self.stored = stored
      self.isClipped = isClipped
    }

    var testDescription: String { "\(from) \(units)" }
  }

  enum Place: Sendable {
    case minimum
    case centre
    case maximum
  }

  static let rows = [
    Row(.minimum, 0, gives: 0),
    Row(.minimum, 0.25, gives: 0),
    Row(.minimum, 0.5, gives: 0),
    Row(.minimum, 0.75, gives: 1),
    Row(.minimum, 1, gives: 1),
    Row(.minimum, 1.5, gives: 2),
    Row(.minimum, -0.25, gives: 0),
    Row(.minimum, -0.5, gives: 0),
    Row(.minimum, -0.75, gives: 0, clipped: true),
    Row(.minimum, -1, gives: 0, clipped: true),
    Row(.minimum, -2, gives: 0, clipped: true),
    Row(.minimum, -0x1p40, gives: 0, clipped: true),
    Row(.minimum, -.greatestFiniteMagnitude, gives: 0, clipped: true),
    Row(.minimum, -.infinity, gives: 0, clipped: true),

    Row(.centre, 0, gives: 0),
    Row(.centre, -0.0, gives: 0),
    Row(.centre, .leastNonzeroMagnitude, gives: 0),
    Row(.centre, -.leastNormalMagnitude, gives: 0),
    Row(.centre, 0.5, gives: 0),
    Row(.centre, -0.5, gives: 0),
    Row(.centre, (0.5).nextUp, gives: 1),
    Row(.centre, (-0.5).nextDown, gives: -1),
    Row(.centre, (0.5).nextDown, gives: 0),
    Row(.centre, 0.75, gives: 1),
    Row(.centre, 1, gives: 1),
    Row(.centre, -1, gives: -1),
    Row(.centre, 1.5, gives: 2),
    Row(.centre, -1.5, gives: -2),
    Row(.centre, 2.5, gives: 2),
    Row(.centre, -2.5, gives: -2),
    Row(.centre, 3.5, gives: 4),
    Row(.centre, .nan, gives: 0, clipped: true),
    Row(.centre, .signalingNaN, gives: 0, clipped: true),

    Row(.maximum, 0, gives: 0),
    Row(.maximum, -1, gives: -1),
    Row(.maximum, -0.5, gives: -1),
    Row(.maximum, -0.25, gives: 0),
    Row(.maximum, 0.25, gives: 0),
    Row(.maximum, 0.5, gives: 0, clipped: true),
    Row(.maximum, 0.75, gives: 0, clipped: true),
    Row(.maximum, 1, gives: 0, clipped: true),
    Row(.maximum, 2, gives: 0, clipped: true),
    Row(.maximum, 0x1p40, gives: 0, clipped: true),
    Row(.maximum, .greatestFiniteMagnitude, gives: 0, clipped: true),
    Row(.maximum, .infinity, gives: 0, clipped: true),
  ]

  /// Alone and among samples in range: a block with one sample out of range leaves all others unchanged.
  @Test(arguments: rows)
  func integers(_ row: Row) {
    for (layout, bits) in SampleLayout.integers {
      let limit = Double(1 << (bits - 1))
      let base: Double =
        switch row.from {
        case .minimum: -limit
        case .centre: 0
        case .maximum: limit - 1
        }
      let stored = layout.bytes(ofInteger: Int64(base) + row.stored)
      let expected = (bytes: stored, clipped: row.isClipped ? 1 : 0)
      let sample = (base + row.units) / limit
      #expect(encode([sample], as: layout) == expected, "\(layout)")
      let one = layout.bytes(ofInteger: 1)
      let others = [Double](repeating: 1 / limit, count: 40)
      let among = encode(others + [sample] + others, as: layout)
      let bytes = Array(repeating: one, count: 40).flatMap { $0 }
      #expect(among.bytes == bytes + stored + bytes, "\(layout)")
      #expect(among.clipped == expected.clipped, "\(layout)")

      let float = Float(sample)
      guard Double(float) == sample || sample.isNaN else { continue }
      #expect(encode([float], as: layout) == expected, "\(layout), Float")
      let amongFloats = encode(others.map { Float($0) } + [float], as: layout)
      #expect(amongFloats.bytes == bytes + stored, "\(layout), Float")
      #expect(amongFloats.clipped == expected.clipped, "\(layout), Float")
    }
  }

  static let singles: [(sample: Double, stored: Float, outside: Int)] = [
    (0.1, Float(0.1), 0), (-0.0, -0.0, 0), (1.5, 1.5, 0), (0x1.000001p0, 1, 0),
    (0x1.000003p0, 0x1.000004p0, 0), (0x1p-149, 0x1p-149, 0), (0x1p-150, 0, 0),
    (0x1.8p-149, 0x1p-148, 0), (-0x1p-1074, -0.0, 0), (0x1.fffffefp127, 0x1.fffffep127, 0),
    (0x1.ffffffp127, 0x1.fffffep127, 1), (-1e300, -0x1.fffffep127, 1),
    (Double.infinity, Float.infinity, 1), (-.infinity, -Float.infinity, 1),
    (Double.nan, Float.nan, 1),
  ]

  /// f32 rounds to nearest, ties to even. Finite values stay finite: beyond the range they become the largest number.
  @Test(arguments: singles)
  func single32(_ sample: Double, _ stored: Float, _ outside: Int) {
    let bytes = encode([sample], as: SampleLayout(.f32, .big))
    let word = stored.bitPattern
    let expected: [UInt8] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    #expect(bytes == (expected, outside))
    let little = encode([sample], as: SampleLayout(.f32, .little))
    #expect(little == (Array(expected.reversed()), outside))
    // Among others, in blocks.
    let among = encode(
      [Double](repeating: 0.5, count: 1_030) + [sample], as: SampleLayout(.f32, .big))
    #expect(Array(among.bytes.suffix(4)) == expected)
    #expect(among.clipped == outside)
  }

  /// Decoding and encoding is the identity: `IntegerKernelTests` covers all 8- and 16-bit values; this covers every 2^k
  /// of 24 and 32 bits and its neighbours.
  @Test func powersOf2AndTheirNeighboursComeBack() {
    for (layout, bits) in SampleLayout.integers where bits > 16 {
      let limit = Int64(1) << (bits - 1)
      var values: [Int64] = []
      for bit in 0..<bits {
        let power = Int64(1) << Int64(bit)
        for value in [power - 1, power, power + 1, -power - 1, -power, -power + 1]
        where (-limit..<limit).contains(value) {
          values.append(value)
        }
      }
      let bytes = values.flatMap { layout.bytes(ofInteger: $0) }
      let doubles: [Double] = decode(bytes, as: layout)
      #expect(doubles == values.map { Double($0) / Double(limit) }, "\(layout)")
      #expect(encode(doubles, as: layout) == (bytes, 0), "\(layout)")
    }
  }
}
