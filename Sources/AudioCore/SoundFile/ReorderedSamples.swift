// SPDX-License-Identifier: Apache-2.0
/// Samples of a file whose channels stand in another order than those of streams.
final class ReorderingReader: SampleReader {
  private let stored: any SampleReader
  private let order: ChannelOrder

  /// - Parameter stored: delivers whole sample frames.
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

/// Puts the channels of a stream into the order in which a file has them.
final class ReorderingWriter: SampleWriter {
  private let target: any SampleWriter
  private let order: ChannelOrder

  init(_ target: any SampleWriter, _ order: ChannelOrder) {
    self.target = target
    self.order = order
  }

  var layout: SampleLayout { target.layout }
  var encodes: Bool { target.encodes }
  var significantBits: Int? { target.significantBits }
  var clippedSamples: Int { target.clippedSamples }
  var sampleFrames: Int64 { target.sampleFrames }
  var keptSampleFrames: Int64 { target.keptSampleFrames }

  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    let bytesPerFrame = layout.bytesPerSample * order.channels.count
    let step = max(1, (1 << 16) / bytesPerFrame) * bytesPerFrame
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + step)
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if try unsafe writeArranged(part) == .readerGone { return .readerGone }
      start = end
    }
    return .accepted
  }

  private func writeArranged(_ part: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: part.count, alignment: MemoryLayout<Double>.alignment)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyMemory(from: part)
    unsafe order.arrange(copy, bytesPerSample: layout.bytesPerSample, .toStorage)
    return try unsafe target.write(UnsafeRawBufferPointer(copy))
  }

  func updateHeader() throws(AudioError) { try target.updateHeader() }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    target.mark(position, at: sampleRate, label: label)
  }

  func finish() throws(AudioError) { try target.finish() }
}
