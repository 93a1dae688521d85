// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct IntegerKernelTests {
  /// Values on both sides of every vector width and of the kernels' blocks of 4096.
  static let counts = [0, 1, 2, 3, 15, 16, 17, 33, 64, 4095, 4097]

  @Test func everyValueOfUpTo16BitsComesBack() {
    for (layout, bits) in SampleLayout.integers where bits <= 16 {
      let values = -(Int64(1) << (bits - 1))..<Int64(1) << (bits - 1)
      let bytes = values.flatMap { layout.bytes(ofInteger: $0) }
      let floats: [Float] = decode(bytes, as: layout)
      let doubles: [Double] = decode(bytes, as: layout)
      #expect(floats == values.map { Float($0) / Float(1 << (bits - 1)) }, "\(layout)")
      #expect(doubles == values.map { Double($0) / Double(1 << (bits - 1)) }, "\(layout)")
      #expect(encode(floats, as: layout) == (bytes, 0), "\(layout)")
      #expect(encode(doubles, as: layout) == (bytes, 0), "\(layout)")
    }
  }

  @Test func wideValuesComeBack() {
    var generator = SplitMix64(seed: 7)
    for (layout, bits) in SampleLayout.integers where bits > 16 {
      let limit = Int64(1) << (bits - 1)
      var values = [-limit, -limit + 1, -1, 0, 1, limit - 2, limit - 1]
      for _ in 0..<2_000 { values.append(Int64(bitPattern: generator.next()) >> (64 - bits)) }
      let bytes = values.flatMap { layout.bytes(ofInteger: $0) }
      let doubles: [Double] = decode(bytes, as: layout)
      #expect(doubles == values.map { Double($0) / Double(limit) }, "\(layout)")
      #expect(encode(doubles, as: layout) == (bytes, 0), "\(layout)")
      let floats: [Float] = decode(bytes, as: layout)
      #expect(floats == values.map { Float(Double($0) / Double(limit)) }, "\(layout)")
      if bits == 24 { #expect(encode(floats, as: layout) == (bytes, 0), "\(layout)") }
    }
  }

  @Test func agreesWithOneSampleAtATimeAtAnyLengthAndAlignment() {
    var generator = SplitMix64(seed: 11)
    for layout in SampleLayout.all {
      for count in Self.counts {
        let samples = (0..<count).map { _ in
          Float(Int64(bitPattern: generator.next())) / 0x1p63 * 1.5
        }
        let whole = encode(samples, as: layout)
        let single = samples.map { encode([$0], as: layout) }
        #expect(whole.bytes == single.flatMap(\.bytes), "\(layout), \(count) samples")
        #expect(whole.clipped == single.reduce(0) { $0 + $1.clipped }, "\(layout)")

        let shifted = [0] + whole.bytes
        let decoded = [Double](capacity: count) { output in
          unsafe Double.decode(
            shifted.span.bytes.extracting(droppingFirst: 1), as: layout, into: &output)
        }
        #expect(decoded == single.flatMap { decode($0.bytes, as: layout) as [Double] }, "\(layout)")
      }
    }
  }

  @Test func paddedLayoutIgnoresItsFourthByte() {
    let little: [Float] = decode([0x00, 0x00, 0x40, 0x7F], as: SampleLayout(.s24In32, .little))
    let big: [Float] = decode([0x7F, 0x40, 0x00, 0x00], as: SampleLayout(.s24In32, .big))
    #expect(little == [0.5] && big == [0.5])
  }
}
