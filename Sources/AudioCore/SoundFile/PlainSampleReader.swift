/// Samples that lie in a file as they are: a WAV `data` chunk or a file without a header.
final class PlainSampleReader: SampleReader {
  let layout: SampleLayout
  private let descriptor: FileDescriptor
  private let bytesPerFrame: Int
  /// Where the next byte is; nil on a pipe.
  private var offset: Int64?
  /// How many bytes of samples remain at most.
  private var remaining: Int64

  /// - Parameters:
  ///   - offset: where the first sample is; on a pipe it must be the next byte.
  ///   - byteCount: how many bytes of samples there are at most; nil = up to the end.
  init(
    _ descriptor: FileDescriptor, _ layout: SampleLayout, channelCount: Int, from offset: Int64,
    byteCount: Int64?
  ) {
    self.descriptor = descriptor
    self.layout = layout
    self.offset = descriptor.isRegular ? offset : nil
    bytesPerFrame = layout.bytesPerSample * channelCount
    remaining = byteCount ?? .max
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let wanted = Int(min(Int64(bytes.count), remaining))
    if wanted == 0 { return 0 }
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
    let count =
      if let offset {
        try unsafe descriptor.read(into: target, at: offset)
      } else {
        try unsafe descriptor.read(into: target)
      }
    offset? += Int64(count)
    remaining -= Int64(count)
    return count
  }

  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    guard let offset else { return false }
    let (wanted, overflows) = sampleFrames.multipliedReportingOverflow(by: Int64(bytesPerFrame))
    let byteCount = overflows ? remaining : min(wanted, remaining)
    let (target, isBeyond) = offset.addingReportingOverflow(byteCount)
    self.offset = isBeyond ? 1 << 62 : min(target, 1 << 62)
    remaining -= byteCount
    return true
  }
}
