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

extension OpenedSoundFile {
  /// Finds the channel order of the file, and rearranges its channels to stream order.
  ///
  /// libsndfile 1.2.0 returns the stored order in every container.
  ///
  /// - Parameter source: the file, or the known bytes of a stream.
  mutating func arrangeChannels(
    _ head: FileBeginning, _ source: any ByteSource, from start: Int64, to end: Int64
  ) throws(AudioError) {
    // No container swaps left and right.
    guard format.channelCount > 2 else { return }
    guard let find = container.row.channels else { return }
    let found = try find(
      ChannelQuestion(
        channelCount: format.channelCount, head: head, source: source, part: start..<end))
    channelLayout = found.layout
    if let order = found.order, order.channels.count == format.channelCount {
      reader = ReorderingReader(reader, order)
    }
  }
}

/// The order and the layout of a file's channels; nil = the usual one.
typealias ChannelAnswer = (order: ChannelOrder?, layout: Metadata.ChannelLayout?)

/// A file of more than two channels and unknown channel order.
struct ChannelQuestion {
  let channelCount: Int
  let head: FileBeginning
  /// The file, or the known bytes of a stream.
  let source: any ByteSource
  /// The place of the container.
  let part: Range<Int64>
}

extension FileBeginning {
  /// The channel mapping family of an Ogg file's Opus stream; nil if it is none. Source: RFC 7845, section 5.1.
  var opusMappingFamily: Int? {
    // A first page has one segment: 28 bytes before its packet.
    bytes.count > 46 && bytes.has("OpusHead", at: 28) ? Int(bytes[46]) : nil
  }

  /// The description of a Wave64 file's samples; nil if it is not the first chunk. Source: Sony Pictures Digital,
  /// "Wave64 file format".
  var wave64Format: WaveFormat? {
    // The file's name, size and kind take 40 bytes. A name of 16 bytes and a size of 8 bytes follow.
    guard bytes.has("riff", at: 0), bytes.has("fmt ", at: 40), bytes.count > 64 else { return nil }
    let size = min(Int(clamping: bytes.integer(at: 56, 8, .little)) - 24, bytes.count - 64)
    return size > 0 ? WaveFormat(Array(bytes[64..<64 + size]), .little) : nil
  }
}
