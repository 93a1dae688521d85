// SPDX-License-Identifier: Apache-2.0
/// How many samples the blocks of a WAVE codec hold.
///
/// Sources: Microsoft, "Multiple Channel Audio Data and WAVE Files" and "New Multimedia Data Types and Data
/// Techniques" (IMA and Microsoft ADPCM, GSM 6.10).
struct WaveBlocks {
  let blockSize: Int
  /// Of a whole block, per channel.
  let samplesPerBlock: Int
  private let kind: Kind
  private let channelCount: Int

  private enum Kind {
    case ima
    case microsoft
    case gsm
  }

  /// - Returns: nil for a codec without blocks of a fixed number of samples.
  init?(_ format: WaveFormat) {
    switch format.tag {
    case 0x0002: kind = .microsoft
    case 0x0011: kind = .ima
    case 0x0031: kind = .gsm
    default: return nil
    }
    blockSize = format.blockAlign
    channelCount = format.channelCount
    samplesPerBlock = format.samplesPerBlock
    guard blockSize > 0, samplesPerBlock > 0, channelCount > 0 else { return nil }
  }

  /// The samples per channel in the first bytes of the data.
  ///
  /// - Parameters:
  ///   - byteCount: of the data.
  ///   - stated: what a `fact` chunk says; counts where the last block is not whole, if that agrees with it.
  func samples(in byteCount: Int64, stated: Int64?) -> Int64 {
    let (blocks, rest) = byteCount.quotientAndRemainder(dividingBy: Int64(blockSize))
    let whole = blocks * Int64(samplesPerBlock)
    guard rest > 0 else { return whole }
    let all = whole + Int64(min(samples(inPart: Int(rest)), samplesPerBlock))
    guard let stated, whole...all ~= stated else { return all }
    return stated
  }

  /// Those of a block that is cut.
  private func samples(inPart byteCount: Int) -> Int {
    switch kind {
    case .gsm: return 0
    case .ima:
      // Per channel: a sample and its step, then groups of eight samples.
      let body = byteCount - 4 * channelCount
      return body < 0 ? 0 : 1 + body / (4 * channelCount) * 8
    case .microsoft:
      let body = byteCount - 7 * channelCount
      return body < 0 ? 0 : 2 + body * 2 / channelCount
    }
  }
}
