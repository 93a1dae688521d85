// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct G711Tests {
  static let codes = (0...255).map { UInt8($0) }

  @Test(arguments: [SampleLayout.Storage.ulaw, .alaw])
  func everyCodeComesBack(_ storage: SampleLayout.Storage) {
    let layout = SampleLayout(storage)
    let floats: [Float] = decode(Self.codes, as: layout)
    let doubles: [Double] = decode(Self.codes, as: layout)
    #expect(doubles.map { Float($0) } == floats)
    #expect(encode(floats, as: layout) == (Self.codes, 0))
    #expect(encode(doubles, as: layout) == (Self.codes, 0))
  }

  /// Values at the decoder output of ITU-T G.711, tables 2a and 1a, and 2b and 1b for the negative ones.
  @Test func valuesOfTheRecommendation() {
    let mu: [Double] = decode([0x80, 0x8F, 0x9F, 0xEF, 0xFE, 0xFF, 0x00], as: SampleLayout(.ulaw))
    #expect(mu.map { $0 * 8192 } == [8031, 4191, 2079, 33, 2, 0, -8031])
    let a: [Double] = decode(
      [0xAA, 0xA5, 0x80, 0xD4, 0xD5, 0x55, 0x2A], as: SampleLayout(.alaw))
    #expect(a.map { $0 * 4096 } == [4032, 2112, 688, 3, 1, -1, -4032])
  }

  @Test func negativeZeroIsACodeOfItsOwn() {
    let zeros: [Float] = decode([0x7F, 0xFF], as: SampleLayout(.ulaw))
    #expect(zeros == [0, 0])
    #expect(zeros.map(\.sign) == [.minus, .plus])
    #expect(encode([-0.0, 0.0] as [Double], as: SampleLayout(.ulaw)) == ([0x7F, 0xFF], 0))
    #expect(encode([-0.0, 0.0] as [Double], as: SampleLayout(.alaw)) == ([0x55, 0xD5], 0))
  }

  /// Every fifth 16-bit value lies in its code's decision interval, found in the recommendation's decision values.
  @Test(arguments: [SampleLayout.Storage.ulaw, .alaw])
  func picksTheDecisionInterval(_ storage: SampleLayout.Storage) {
    let decisions = storage == .ulaw ? Self.muLawDecisions : Self.aLawDecisions
    let fullScale = storage == .ulaw ? 8192.0 : 4096.0
    let values = stride(from: -32768, through: 32767, by: 5).map { Double($0) / 32768 }
    let encoded = encode(values, as: SampleLayout(storage)).bytes
    for (value, code) in zip(values, encoded) {
      let magnitude = abs(value) * fullScale
      let interval = min((decisions.firstIndex { $0 > magnitude } ?? 128) - 1, 127)
      let positive =
        storage == .ulaw ? 0xFF - UInt8(interval) : (UInt8(interval) | 0x80) ^ 0x55
      #expect(code == (value < 0 ? positive ^ 0x80 : positive), "\(value * 32768)")
    }
  }

  /// Decision values x1…: steps of 2 (the first of µ-law is 1) that double with every segment.
  static let muLawDecisions = decisions(
    first: [0, 1], steps: [15] + Array(repeating: 16, count: 7))
  static let aLawDecisions = decisions(first: [0], steps: [32] + Array(repeating: 16, count: 6))

  static func decisions(first: [Double], steps: [Int]) -> [Double] {
    var values = first
    for (segment, count) in steps.enumerated() {
      for _ in 0..<count { values.append(values[values.count - 1] + Double(2 << segment)) }
    }
    return values
  }

  /// The decoded value is the middle of the decision interval, by the recommendation's formulas. The codes are the
  /// intervals in order, inverted for µ-law, with the even bits inverted for A-law.
  @Test func everyValueIsTheMiddleOfItsInterval() {
    for interval in 0..<128 {
      let mu = (Self.muLawDecisions[interval] + Self.muLawDecisions[interval + 1]) / 2
      let a = (Self.aLawDecisions[interval] + Self.aLawDecisions[interval + 1]) / 2
      let code = UInt8(interval)
      let muLaw: [Double] = decode([0xFF - code, 0x7F - code], as: SampleLayout(.ulaw))
      // The first interval of µ-law is 0…1 and its value 0.
      let value = interval == 0 ? 0 : mu / 8192
      #expect(muLaw == [value, -value], "µ-law \(interval)")
      let aLaw: [Double] = decode([(code | 0x80) ^ 0x55, code ^ 0x55], as: SampleLayout(.alaw))
      #expect(aLaw == [a / 4096, -a / 4096], "A-law \(interval)")
    }
  }

  /// A decision value belongs to the upper interval, the last number below it to the lower one.
  @Test(arguments: [SampleLayout.Storage.ulaw, .alaw])
  func decisionValuesPartTheCodes(_ storage: SampleLayout.Storage) {
    let decisions = storage == .ulaw ? Self.muLawDecisions : Self.aLawDecisions
    let fullScale = storage == .ulaw ? 8192.0 : 4096.0
    func code(_ interval: Int, isNegative: Bool) -> UInt8 {
      let positive = storage == .ulaw ? 0xFF - UInt8(interval) : (UInt8(interval) | 0x80) ^ 0x55
      return isNegative ? positive ^ 0x80 : positive
    }
    for interval in 1..<128 {
      let decision = decisions[interval] / fullScale
      for sign in [1.0, -1.0] {
        let expected = [interval - 1, interval].map { code($0, isNegative: sign < 0) }
        let floats = [Float(decision).nextDown, Float(decision)].map { $0 * Float(sign) }
        #expect(encode(floats, as: SampleLayout(storage)) == (expected, 0), "\(interval)")
        // µ-law adds its bias in Double: no number lies within 2^−50 of the decision value.
        let doubles = [decision - 0x1p-40, decision].map { $0 * sign }
        #expect(encode(doubles, as: SampleLayout(storage)) == (expected, 0), "\(interval)")
      }
    }
  }

  @Test func countsWhatIsBeyondFullScale() {
    for storage in [SampleLayout.Storage.ulaw, .alaw] {
      let samples: [Float] = [-1, 0.9999, 1, -1.001, .infinity, -.infinity, .nan]
      let (bytes, clipped) = encode(samples, as: SampleLayout(storage))
      #expect(clipped == 5)
      let highest: UInt8 = storage == .ulaw ? 0x80 : 0xAA
      let zero: UInt8 = storage == .ulaw ? 0xFF : 0xD5
      let lowest = highest ^ 0x80
      #expect(bytes == [lowest, highest, highest, lowest, highest, lowest, zero])
    }
  }
}
