// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// The quality of Vorbis for a bit rate, at a rate and channel count.
///
/// libvorbis states a nominal bit rate for each quality, which grows linearly between whole numbers (`vorbisenc.c`). The
/// headers of empty files tell it.
struct VorbisQuality {
  /// From 0 to 10.
  let quality: Double
  /// The nominal bit rate of ``quality``, in bits per second.
  let bitRate: Int

  /// - Throws: `unsupported` if libvorbis takes no such stream.
  init(nearestTo wanted: Int, _ stream: StreamFormat) throws(AudioError) {
    func rate(_ quality: Int) throws(AudioError) -> Int {
      try Self.nominalRate(of: Double(quality), stream)
    }
    // The last quality whose rate is not above the wanted one.
    var (low, high) = (0, 10)
    while low < high {
      let middle = (low + high + 1) / 2
      if try rate(middle) <= wanted { low = middle } else { high = middle - 1 }
    }
    let least = try rate(low)
    guard low < 10, wanted > least else {
      (quality, bitRate) = (Double(low), least)
      return
    }
    let next = try rate(low + 1)
    quality = Double(low) + Double(wanted - least) / Double(max(1, next - least))
    bitRate = wanted
  }

  /// In bits per second.
  private static func nominalRate(
    of quality: Double, _ stream: StreamFormat
  ) throws(AudioError) -> Int {
    let file = try SpooledFile.inMemory(named: "the encoder's settings")
    let handle = try SndfileHandle(
      file, mode: SFM_WRITE,
      SF_INFO(
        sampleRate: stream.sampleRate, channelCount: stream.channelCount,
        format: Container.ogg.majorFormat | SampleEncoding.vorbis.subtype))
    try handle.encode(at: 1 - quality / 10, .none)
    try handle.close()
    return try nominalRate(HeldBytes(file.bytes(64, at: 0)), from: 0) ?? 0
  }

  /// The nominal bit rate that a file states, in bits per second. Source: Vorbis I, section 4.2.2.
  ///
  /// - Parameter start: the start of its first page.
  static func nominalRate(_ file: any ByteSource, from start: Int64) throws(AudioError) -> Int? {
    let page = try file.bytes(64, at: start)
    let packet = OggPage.headSize + 1
    guard page.count >= packet + 24, page.has("vorbis", at: packet + 1) else { return nil }
    let rate = Int32(truncatingIfNeeded: page.integer(at: packet + 20, 4, .little))
    return rate > 0 ? Int(rate) : nil
  }
}
