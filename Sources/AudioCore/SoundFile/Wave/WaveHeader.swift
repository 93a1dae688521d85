/// The header of a RIFF, RIFX, RF64 or BW64 file of form WAVE, up to the first sample.
///
/// Sources: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" (RIFF), EBU
/// Tech 3306 (RF64), ITU-R BS.2088 (BW64).
struct WaveHeader {
  /// The sizes that programs write where they do not know the size (yet): sox, arecord, ffmpeg.
  static let placeholders: Set<UInt64> = [0, 0x7FFF_F000, 0x8000_0000, 0xFFFF_FFFF]

  var byteOrder: ByteOrder
  var is64Bit: Bool
  var format: WaveFormat
  /// Where the first sample is.
  var dataOffset: Int64
  /// The bytes of samples that the header promises; nil where it promises nothing and they go on to
  /// the end.
  var claimedBytes: Int64?
  /// The bytes of samples that are there; nil on a pipe, where only the end tells.
  var actualBytes: Int64?

  /// The samples per channel that the header of a cut file claims of a codec's blocks; nil where the data is
  /// all there, or where nothing tells how long a block is.
  var claimOfCutCodec: Int64? {
    guard let claimedBytes, let actualBytes, actualBytes < claimedBytes, format.blockAlign > 0,
      let samplesPerBlock = format.samplesPerBlock
    else { return nil }
    // As libsndfile does, which makes a block of what is left over.
    return ((claimedBytes - 1) / Int64(format.blockAlign) + 1) * Int64(samplesPerBlock)
  }

  /// Whether a file that begins with `head` is one of these.
  static func begins(_ head: [UInt8]) -> Bool {
    ["RIFF", "RIFX", "RF64", "BW64"].contains { head.has($0, at: 0) } && head.has("WAVE", at: 8)
  }
}
