// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// Conversions of streams with a channel layout.
@Suite struct SpeakerMatrixTests {
  /// The bits of `dwChannelMask`.
  private static let (l, r, c, lfe, bl, br): (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) =
    (0x1, 0x2, 0x4, 0x8, 0x10, 0x20)
  private static let (lc, rc, bc, sl, sr): (UInt32, UInt32, UInt32, UInt32, UInt32) =
    (0x40, 0x80, 0x100, 0x200, 0x400)

  /// - Returns: the factors of the documents, before the scaling to a largest sum of 1.
  private func factors(_ mask: UInt32, to count: Int) -> [[Double]] {
    ChannelMatrix(from: mask.nonzeroBitCount, .speakers(mask), to: count).factors
  }

  /// ITU-R BS.775-3, annex 4, table 2: from 3/1, 3/2 and 2/2 to 2/0 and 1/0.
  @Test func theTableOfTheRecommendation() {
    let less = 0.5.squareRoot()
    expect(
      factors(Self.l | Self.r | Self.c | Self.bc, to: 2),
      [[1, 0, less, 0.5], [0, 1, less, 0.5]])
    expect(factors(Self.l | Self.r | Self.c | Self.bc, to: 1), [[less, less, 1, 0.5]])
    for (left, right) in [(Self.bl, Self.br), (Self.sl, Self.sr)] {
      let both = left | right
      expect(
        factors(Self.l | Self.r | Self.c | both, to: 2),
        [[1, 0, less, less, 0], [0, 1, less, 0, less]])
      expect(factors(Self.l | Self.r | Self.c | both, to: 1), [[less, less, 1, 0.5, 0.5]])
      expect(factors(Self.l | Self.r | both, to: 2), [[1, 0, less, 0], [0, 1, 0, less]])
      expect(factors(Self.l | Self.r | both, to: 1), [[less, less, 0.5, 0.5]])
    }
  }

  @Test func layoutsThatAreNotTheUsualOnesOfTheirCount() {
    let less = 0.5.squareRoot()
    // 3.1: the usual four channels are two in front and two at the back.
    expect(
      factors(Self.l | Self.r | Self.c | Self.lfe, to: 2), [[1, 0, less, 0], [0, 1, less, 0]])
    // 2.1: the usual third channel is the centre.
    expect(factors(Self.l | Self.r | Self.lfe, to: 2), [[1, 0, 0], [0, 1, 0]])
    // 6.0
    expect(
      factors(Self.l | Self.r | Self.c | Self.bc | Self.sl | Self.sr, to: 2),
      [[1, 0, less, 0.5, less, 0], [0, 1, less, 0.5, 0, less]])
    // Left and right of centre.
    expect(factors(Self.l | Self.r | Self.lc | Self.rc, to: 2), [[1, 0, 1, 0], [0, 1, 0, 1]])
  }

  @Test func surroundChannelsOfMoreIntoFewer() {
    let less = 0.5.squareRoot()
    let row = ChannelMatrix(from: 8, to: 6).factors[4]
    // Back and side into back: 1 and √½.
    #expect(abs(row[6] / row[4] - less) < 1e-12)
    // 5.1 with sides into 7.1, which has them.
    expect(
      Array(factors(0x60F, to: 8)[6...]), [[0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])
  }

  /// Only low frequencies are lost, and no sum exceeds 1, at any layout.
  @Test func everyLayout() {
    for mask in UInt32(1)..<1 << 18 where mask.nonzeroBitCount > 2 && mask % 251 < 9 {
      let count = mask.nonzeroBitCount
      for target in 1...8 where target != count {
        let factors = factors(mask, to: target)
        #expect(factors.count == target)
        for input in 0..<count {
          let heard = factors.reduce(0) { $0 + $1[input] } > 0
          let isLow = mask & Self.lfe != 0 && input == (mask & (Self.lfe - 1)).nonzeroBitCount
          #expect(heard != isLow || isLow && target >= 6, "\(mask) \(input)")
        }
        for row in factors { #expect(row.reduce(0, +) < 1 + 1e-12) }
      }
    }
  }

  /// A channel without a loudspeaker, and channels that are tracks.
  @Test func whatBelongsNowhere() {
    let less = 0.5.squareRoot()
    expect(
      ChannelMatrix(from: 3, .speakers(0x3), to: 2).factors, [[1, 0, less], [0, 1, less]])
    #expect(
      ChannelMatrix(from: 4, .discrete, to: 2).factors == ChannelMatrix(from: 4, to: 2).factors)
    #expect(ChannelMatrix(from: 4, .speakers(0xF), to: 4).factors[2] == [0, 0, 1, 0])
  }

  /// Compares with factors scaled as a whole, so that none of their sums exceeds 1.
  private func expect(_ factors: [[Double]], _ unscaled: [[Double]]) {
    let largest = max(1, unscaled.map { $0.reduce(0, +) }.max() ?? 1)
    #expect(factors.count == unscaled.count)
    for (row, wanted) in zip(factors, unscaled) {
      #expect(row.count == wanted.count)
      for (factor, value) in zip(row, wanted) { #expect(abs(factor - value / largest) < 1e-12) }
    }
  }
}
