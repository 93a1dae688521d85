// SPDX-License-Identifier: Apache-2.0
/// Quantises samples into a writer's layout and passes them on in large blocks.
///
/// Session thread only. If allowed, the writer works on its own thread from the third block on. That thread owns the
/// writer until ``complete()`` or ``abandon()``.
final class SampleEncoder {
  private let writer: any SampleWriter
  private var staged = ByteQueue(capacity: FileDescriptor.blockSize)
  private let overlap: WorkerAllowance?
  private var exchange: BlockExchange?
  /// The blocks written by the session thread itself. A short file is not worth a thread.
  private var ownBlocks = 0
  private var handedOver: (sampleFrames: Int64, clippedSamples: Int) = (0, 0)
  private let bytesPerFrame: Int
  let channelCount: Int
  private(set) var quantiser: Quantiser
  /// The samples that the quantiser clipped in a previous file.
  private let clippedBefore: Int
  /// The NaN samples of a previous file.
  private let notNumbersBefore: Int
  private var scaled = SampleQueue<Double>()
  /// The samples per channel that the writer accepted.
  var samplesPerChannel: Int64 {
    exchange == nil ? writer.sampleFrames : handedOver.sampleFrames
  }
  private(set) var hasSamples = false
  private var isReaderGone = false
  /// The digest of the passed samples; nil if not requested.
  var digest: SampleDigest?
  /// The exact size of each write in bytes, except for the last one; nil = any size.
  private let pieceSize: Int?

  /// - Parameters:
  ///   - quantiser: the quantiser of a previous file whose stream continues in this one.
  ///   - overlap: whether the writer may now use its own thread; nil = never.
  ///   - samplesPerWrite: the exact size of each write, except for the last one, in samples over all channels; whole
  ///     sample frames. nil = any size.
  init(
    _ writer: any SampleWriter, channelCount: Int, dither: Dither,
    continuing quantiser: Quantiser? = nil, overlap: WorkerAllowance? = nil,
    samplesPerWrite: Int? = nil
  ) {
    self.writer = writer
    self.overlap = Processors.available > 1 ? overlap : nil
    self.channelCount = channelCount
    bytesPerFrame = writer.layout.bytesPerSample * channelCount
    pieceSize = samplesPerWrite.map { $0 * writer.layout.bytesPerSample }
    self.quantiser = quantiser ?? Quantiser(layout: writer.layout, dither: dither)
    self.quantiser.keepsInfinity = !writer.encodes
    clippedBefore = quantiser?.clippedSamples ?? 0
    notNumbersBefore = quantiser?.notANumberSamples ?? 0
  }

  var clippedSamples: Int {
    quantiser.clippedSamples - clippedBefore
      + (exchange == nil ? writer.clippedSamples : handedOver.clippedSamples)
  }

  var notANumberSamples: Int { quantiser.notANumberSamples - notNumbersBefore }

  /// Accepts interleaved whole sample frames, and may hold them until the next `flush`.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    if !samples.isEmpty { hasSamples = true }
    var start = 0
    while start < samples.count, !isReaderGone {
      let room = staged.free / bytesPerFrame * channelCount
      guard room > 0 else {
        // A write may be larger than a block. The buffer grows with the samples, not with the requested size.
        if try flush() == .accepted, staged.free < bytesPerFrame { staged = staged.doubled() }
        continue
      }
      let end = min(samples.count, start + room)
      stage(samples.extracting(start..<end))
      start = end
    }
    return isReaderGone ? .readerGone : .accepted
  }

  /// Appends silence if the writer can do so at no cost and no dither is added to it.
  ///
  /// - Parameter length: in samples per channel.
  /// - Returns: whether it appended the silence.
  func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    guard quantiser.dither == .none, digest == nil, exchange == nil else { return false }
    guard try flush() == .accepted, try writer.appendSilence(length) else { return false }
    hasSamples = true
    return true
  }

  /// Passes on all held samples; with a fixed write size, only whole writes.
  func flush() throws(AudioError) -> SinkStatus {
    guard let pieceSize else { return try flushAll() }
    while !isReaderGone, staged.count >= pieceSize { try writeOldest(pieceSize) }
    return isReaderGone ? .readerGone : .accepted
  }

  private func flushAll() throws(AudioError) -> SinkStatus {
    let staged = staged
    guard !isReaderGone, staged.count > 0 else { return isReaderGone ? .readerGone : .accepted }
    if let exchange = exchange ?? beginOverlap() {
      unsafe digest?.update(staged.bytes)
      handedOver.sampleFrames += Int64(staged.count / bytesPerFrame)
      if let free = try exchange.exchange(staged) { self.staged = free }
      return .accepted
    }
    try writeOldest(staged.count)
    ownBlocks += 1
    return isReaderGone ? .readerGone : .accepted
  }

  /// Gives the writer the oldest `byteCount` bytes. The rest of a failed write is lost and must not be retried.
  private func writeOldest(_ byteCount: Int) throws(AudioError) {
    let staged = staged
    defer { staged.consume(byteCount) }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: staged.bytes[..<byteCount])
    unsafe digest?.update(bytes)
    isReaderGone = try unsafe writer.write(bytes) == .readerGone
  }

  /// Passes on all held samples and waits until the writer has them.
  func complete() throws(AudioError) {
    if try flush() == .accepted { _ = try flushAll() }
    try exchange?.drain()
    abandon()
  }

  /// Takes the writer back from its thread. Samples not passed on yet are lost.
  func abandon() {
    exchange?.end()
    exchange = nil
  }

  /// Gives the writer its own thread if this pays off.
  private func beginOverlap() -> BlockExchange? {
    guard let overlap, ownBlocks >= 2, overlap.isGranted else { return nil }
    handedOver = (writer.sampleFrames, writer.clippedSamples)
    let writer = writer
    func write(_ block: ByteQueue) throws(AudioError) -> Bool {
      defer { block.consume(block.count) }
      return try unsafe writer.write(block.bytes) == .accepted
    }
    exchange = try? BlockExchange(
      named: "file writer", todo: [], done: [ByteQueue(capacity: FileDescriptor.blockSize)],
      work: write)
    return exchange
  }

  private func stage<Sample: AudioSample>(_ samples: Span<Sample>) {
    let byteCount = samples.count * writer.layout.bytesPerSample
    guard let bits = writer.significantBits, let carrier = writer.layout.encoding.bytesPerSample,
      bits < carrier * 8
    else {
      staged.append(exactly: byteCount) { bytes in quantiser.encode(samples, into: &bytes) }
      return
    }
    let scaled = scaled
    scaled.removeAll()
    scaled.append(atMost: samples.count) { output in Sample.append(samples, to: &output) }
    let fullScale = 1 / Double(1 << (carrier * 8 - bits))
    var values = scaled.writable
    Double.scale(&values, by: fullScale)
    // The limit lies beyond the codec's range, but within its carrier; otherwise, a clipped sample would be counted
    // twice. This order of the arguments keeps NaN.
    for index in values.indices {
      values[index] = min(max(values[index], -1.5 * fullScale), 1.5 * fullScale)
    }
    staged.append(exactly: byteCount) { bytes in quantiser.encode(scaled.readable, into: &bytes) }
  }
}
