// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// MP3 keeps the level of its source, at constant bit rates, too, where LAME lowers it by up to 0.45 dB.
@Suite struct MpegLevelTests {
  /// Returns the root mean square of the second second, in dBFS.
  private func level(_ words: String, rate: Int = 48_000) throws -> Double {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert tone:1000 -d 3 -c 1 -r \(rate) -f f32 -o a.wav && rawaudio convert a.wav \(words) -o b.mp3 &&
        rawaudio convert b.mp3 -t raw -f f32 -o c.raw
      """)
    let bytes = try directory.bytes("c.raw")
    let squares = (rate..<2 * rate).map { (place: Int) -> Double in
      let bits = UInt32(littleEndian(bytes, at: 4 * place, 4))
      return pow(Double(Float(bitPattern: bits)), 2)
    }
    return 10 * log10(squares.reduce(0, +) / Double(rate))
  }

  /// A sine with peaks of -3 dBFS.
  private let expected = -3 - 10 * log10(2.0)

  @Test(arguments: [32, 128, 160, 192, 224, 256, 320])
  func atAConstantBitRate(_ bitRate: Int) throws {
    #expect(abs(try level("--bitrate \(bitRate)") - expected) < 0.02)
  }

  @Test(arguments: [8_000, 16_000, 24_000])
  func atLowRates(_ rate: Int) throws {
    #expect(abs(try level("--bitrate 64", rate: rate) - expected) < 0.02)
  }

  @Test(arguments: [8, 10]) func atAVariableBitRate(_ quality: Int) throws {
    #expect(abs(try level("--quality \(quality)") - expected) < 0.02)
  }
}
