// SPDX-License-Identifier: Apache-2.0
/// The content of a WAVE `fmt ` chunk.
///
/// Source: Microsoft, "Multiple Channel Audio Data and WAVE Files" (WAVEFORMATEX and
/// WAVEFORMATEXTENSIBLE).
struct WaveFormat {
  /// Values of `wFormatTag`.
  enum Tag {
    static let pcm = 0x0001
    static let float = 0x0003
    static let alaw = 0x0006
    static let ulaw = 0x0007
    static let extensible = 0xFFFE
    /// MPEG audio: layers I and II, and layer III.
    static let mpeg: Set = [0x0050, 0x0055]
  }

  /// The bytes of a sub-format GUID behind the format tag in its first two bytes.
  static let subFormatTail: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]
  /// The bytes of a sub-format GUID for ambisonic B-format, which stores samples in the usual way.
  static let ambisonicTail: [UInt8] = [
    0x00, 0x00, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0x00, 0x00, 0x00,
  ]

  /// The format tag, or the sub-format's in an extensible chunk; nil for an unknown GUID.
  var tag: Int?
  var channelCount: Int
  var sampleRate: Int
  /// Bytes per second.
  private let byteRate: Int
  var blockAlign: Int
  var bitsPerSample: Int
  /// The samples per channel of a codec's block; 0 if not stated.
  let samplesPerBlock: Int
  /// The channel layout of an extensible chunk; nil for a plain one.
  private(set) var channelLayout: Metadata.ChannelLayout?

  /// - Returns: nil if the chunk is too short.
  init?(_ chunk: [UInt8], _ order: ByteOrder) {
    guard chunk.count >= 14 else { return nil }
    let tag = Int(chunk.integer(at: 0, 2, order))
    channelCount = Int(chunk.integer(at: 2, 2, order))
    sampleRate = Int(chunk.integer(at: 4, 4, order))
    byteRate = Int(chunk.integer(at: 8, 4, order))
    blockAlign = Int(chunk.integer(at: 12, 2, order))
    bitsPerSample = chunk.count >= 16 ? Int(chunk.integer(at: 14, 2, order)) : 0
    samplesPerBlock = chunk.count >= 20 ? Int(chunk.integer(at: 18, 2, order)) : 0
    guard tag == Tag.extensible else {
      self.tag = tag
      return
    }
    guard chunk.count >= 40 else { return nil }
    let tail = Array(chunk[26..<40])
    self.tag =
      tail == Self.subFormatTail || tail == Self.ambisonicTail
      ? Int(chunk.integer(at: 24, 2, order)) : nil
    let mask = UInt32(chunk.integer(at: 20, 4, order))
    channelLayout =
      tail == Self.ambisonicTail ? .ambisonic : mask == 0 ? .discrete : .speakers(mask)
  }

  /// Whether the samples are stored one by one, without a codec.
  var isPlain: Bool { [Tag.pcm, Tag.float, Tag.alaw, Tag.ulaw].contains(tag) }

  private var isCompanded: Bool { tag == Tag.alaw || tag == Tag.ulaw }

  var isMPEG: Bool { tag.map(Tag.mpeg.contains) ?? false }

  var holdsWideIntegers: Bool { tag == Tag.pcm && bytesPerSample == 8 }

  /// Whether the samples are 17 to 24 bits in four bytes. The header does not state the used three bytes.
  var isPadded: Bool {
    tag == Tag.pcm && bytesPerSample == 4 && (17...24).contains(bitsPerSample)
  }

  /// The bytes of a sample of one channel; nil if the sizes contradict each other.
  ///
  /// Bits and channels count if the byte rate agrees with them, or with neither. The block alignment counts if the byte
  /// rate agrees only with it and the bits fit in, or if it gives four bytes for 17 to 24 bits.
  var bytesPerSample: Int? {
    guard channelCount > 0 else { return nil }
    let own = isCompanded ? 1 : (bitsPerSample + 7) / 8
    let stated = blockAlign % channelCount == 0 ? blockAlign / channelCount : 0
    if stated == own || own == 0 { return stated > 0 ? stated : nil }
    if byteRate == sampleRate * channelCount * own { return own }
    if blockAlign > 0, byteRate == sampleRate * blockAlign { return stated > own ? stated : nil }
    return stated == 4 && (17...24).contains(bitsPerSample) ? stated : own
  }

  /// The choice that the header's contradictions required; nil = none.
  var reading: HeaderReading? {
    guard let bytesPerSample, !isPadded else { return nil }
    let taken = bytesPerSample * channelCount
    let isUsual =
      taken == blockAlign
      && (isCompanded || bitsPerSample == 0 || bytesPerSample == (bitsPerSample + 7) / 8)
    return isUsual ? nil : .blockAlign(stated: blockAlign, taken: taken)
  }

  /// The layout of the samples; nil if the sizes contradict each other or no layout fits.
  ///
  /// A sample fills its bytes from the top: 12 bits in two bytes are s16, and 20 bits in three bytes are s24.
  func layout(_ order: ByteOrder) -> SampleLayout? {
    guard let bytesPerSample else { return nil }
    switch (tag, bytesPerSample) {
    case (Tag.pcm, 1): return SampleLayout(.u8, order)
    case (Tag.pcm, 2): return SampleLayout(.s16, order)
    case (Tag.pcm, 3): return SampleLayout(.s24, order)
    case (Tag.pcm, 4): return SampleLayout(.s32, order)
    // 64-bit integers have no layout of their own; `holdsWideIntegers` identifies them.
    case (Tag.pcm, 8): return SampleLayout(.f64, order)
    case (Tag.float, 4): return SampleLayout(.f32, order)
    case (Tag.float, 8): return SampleLayout(.f64, order)
    case (Tag.alaw, 1): return SampleLayout(.alaw, order)
    case (Tag.ulaw, 1): return SampleLayout(.ulaw, order)
    default: return nil
    }
  }
}

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
  /// The samples per channel of a block of NMS ADPCM; G.721 and G.723 have 120 in libsndfile 1.2.0.
  static let longestOfOthers: Int64 = 160

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
  ///   - stated: the length in a `fact` chunk; used if the sound could end there, in the last block: an encoder fills
  ///     it up.
  func samples(in byteCount: Int64, stated: Int64?) -> Int64 {
    let (blocks, rest) = byteCount.quotientAndRemainder(dividingBy: Int64(blockSize))
    let whole = blocks * Int64(samplesPerBlock)
    let part = rest > 0 ? min(samples(inPart: Int(rest)), samplesPerBlock) : 0
    let all = whole + Int64(part)
    let first = rest > 0 ? whole : max(whole - Int64(samplesPerBlock) + 1, 0)
    guard let stated, first <= stated, stated <= all else { return all }
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
