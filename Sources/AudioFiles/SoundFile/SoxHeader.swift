// SPDX-License-Identifier: Apache-2.0
/// The header of a stream between two processes of sox: `-t sox`, `-p`. 32-bit integers follow it.
///
/// Source: soxformat(7), and sox 14.4.2's `sox-fmt.c`.
struct SoxHeader {
  let byteOrder: ByteOrder
  let sampleRate: Int
  let channelCount: Int
  /// In samples per channel; nil if the header does not state it.
  let samplesPerChannel: Int64?
  /// The size of the header in bytes. The samples follow it.
  let size: Int

  /// The letters in the writer's byte order, the size of the header without the letters, the samples of all channels,
  /// the rate as a 64-bit number, the channels, and the length of comments.
  private static let fixedSize = 32
  /// The largest accepted size, more than any real comments need.
  private static let largestSize = 1 << 20

  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.has(".SoX", at: 0) || bytes.has("XoS.", at: 0)
  }

  /// - Throws: `malformed` if the header ends too early or contradicts itself.
  init(_ bytes: [UInt8], named name: String) throws(AudioError) {
    func malformed(_ reason: String) -> AudioError {
      .malformed(name, because: reason)
    }
    guard bytes.count >= Self.fixedSize else { throw malformed("its header ends too early") }
    byteOrder = bytes.has(".SoX", at: 0) ? .little : .big
    size = 4 + Int(bytes.integer(at: 4, 4, byteOrder))
    guard (Self.fixedSize...Self.largestSize).contains(size) else {
      throw malformed("its header states that it has \(size) bytes")
    }
    let rate = Double(bitPattern: bytes.integer(at: 16, 8, byteOrder))
    guard rate >= 1, rate < 1e9 else { throw malformed("its header states no rate") }
    sampleRate = Int(rate.rounded())
    channelCount = Int(bytes.integer(at: 24, 4, byteOrder))
    let count = bytes.integer(at: 8, 8, byteOrder)
    let isKnown = count > 0 && count < 1 << 48 && channelCount > 0
    samplesPerChannel = isKnown ? Int64(count) / Int64(channelCount) : nil
  }
}

extension OpenedSoundFile {
  init(sox descriptor: FileDescriptor, from start: Int64) throws(AudioError) {
    let isRegular = descriptor.isRegular
    let head = isRegular ? try descriptor.bytes(32, at: start) : try descriptor.nextBytes(32)
    let header = try SoxHeader(head, named: descriptor.name)
    // On a pipe, the next byte must be the first sample's.
    if !isRegular { _ = try descriptor.nextBytes(header.size - head.count) }
    let format = try StreamFormat(
      claiming: header.sampleRate, header.channelCount, in: descriptor.name)
    let layout = SampleLayout(SampleLayout.Storage.s32, header.byteOrder)
    let first = start + Int64(header.size)
    let bytesPerFrame = Int64(4 * header.channelCount)
    let claimed = header.samplesPerChannel
    self.init(
      container: .sox, encoding: .s32, byteOrder: header.byteOrder, format: format,
      claimedSamplesPerChannel: claimed,
      reader: PlainSampleReader(
        descriptor, layout, channelCount: header.channelCount, from: first,
        byteCount: claimed.map { $0 * bytesPerFrame }))
    if isRegular {
      let present = try max(0, descriptor.size() - first) / bytesPerFrame
      samplesPerChannel = min(present, claimed ?? present)
    }
  }
}
