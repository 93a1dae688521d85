// SPDX-License-Identifier: Apache-2.0
/// The sample counts of a WAVE codec's blocks.
///
/// Sources: Microsoft, "Multiple Channel Audio Data and WAVE Files" and "New Multimedia Data Types and Data
/// Techniques" (IMA and Microsoft ADPCM, GSM 6.10).
struct WaveBlocks {
  let blockSize: Int
  /// The samples per channel of a whole block.
  let samplesPerBlock: Int
  private let tag: Int
  private let channelCount: Int
  private static let (microsoft, ima, gsm) = (0x0002, 0x0011, 0x0031)

  /// - Returns: nil for a codec without blocks of fixed sample counts.
  init?(_ format: WaveFormat) {
    guard let tag = format.tag, [Self.microsoft, Self.ima, Self.gsm].contains(tag) else {
      return nil
    }
    self.tag = tag
    blockSize = format.blockAlign
    channelCount = format.channelCount
    samplesPerBlock = format.samplesPerBlock
    guard blockSize > 0, samplesPerBlock > 0, channelCount > 0 else { return nil }
  }

  /// The samples per channel in the first bytes of the data.
  ///
  /// - Parameters:
  ///   - byteCount: the size of the data in bytes.
  ///   - stated: the length in a `fact` chunk; used if the last block is incomplete and could end there.
  func samples(in byteCount: Int64, stated: Int64?) -> Int64 {
    let (blocks, rest) = byteCount.quotientAndRemainder(dividingBy: Int64(blockSize))
    let whole = blocks * Int64(samplesPerBlock)
    guard rest > 0 else { return whole }
    let all = whole + Int64(min(samples(inPart: Int(rest)), samplesPerBlock))
    guard let stated, whole...all ~= stated else { return all }
    return stated
  }

  /// The samples per channel of a cut block.
  private func samples(inPart byteCount: Int) -> Int {
    switch tag {
    case Self.ima:
      // Per channel: a sample and its step, then groups of eight samples.
      let body = byteCount - 4 * channelCount
      return body < 0 ? 0 : 1 + body / (4 * channelCount) * 8
    case Self.microsoft:
      let body = byteCount - 7 * channelCount
      return body < 0 ? 0 : 2 + body * 2 / channelCount
    default: return 0
    }
  }
}
