// SPDX-License-Identifier: Apache-2.0
/// Reads samples of a file whose channel order differs from stream order.
final class ReorderingReader: SampleReader {
  private let stored: any SampleReader
  private let order: ChannelOrder

  /// - Parameter stored: a reader that returns whole sample frames.
  init(_ stored: any SampleReader, _ order: ChannelOrder) {
    self.stored = stored
    self.order = order
  }

  var layout: SampleLayout { stored.layout }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let count = try unsafe stored.read(into: bytes)
    unsafe order.arrange(
      UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]),
      bytesPerSample: layout.bytesPerSample, .fromStorage)
    return count
  }

  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    try stored.skip(sampleFrames: sampleFrames)
  }
}

/// Rearranges the channels of a stream to the order of a file.
@safe
final class ReorderingWriter: SampleWriter {
  private let target: any SampleWriter
  private let order: ChannelOrder
  /// Room for whole sample frames while their channels are rearranged.
  private let block: UnsafeMutableRawBufferPointer

  init(_ target: any SampleWriter, _ order: ChannelOrder) {
    self.target = target
    self.order = order
    let bytesPerFrame = target.layout.bytesPerSample * order.channels.count
    unsafe block = .allocate(
      byteCount: max(1, (1 << 16) / bytesPerFrame) * bytesPerFrame,
      alignment: MemoryLayout<Double>.alignment)
  }

  deinit { unsafe block.deallocate() }

  var layout: SampleLayout { target.layout }
  var encodes: Bool { target.encodes }
  var significantBits: Int? { target.significantBits }
  var clippedSamples: Int { target.clippedSamples }
  var sampleFrames: Int64 { target.sampleFrames }
  var keptSampleFrames: Int64 { target.keptSampleFrames }

  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    var start = 0
    while start < bytes.count {
      let end = unsafe min(bytes.count, start + block.count)
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: block[..<(end - start)])
      unsafe part.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      unsafe order.arrange(part, bytesPerSample: layout.bytesPerSample, .toStorage)
      if try unsafe target.write(UnsafeRawBufferPointer(part)) == .readerGone { return .readerGone }
      start = end
    }
    return .accepted
  }

  func updateHeader() throws(AudioError) { try target.updateHeader() }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    target.mark(position, at: sampleRate, label: label)
  }

  func finish() throws(AudioError) { try target.finish() }
}
