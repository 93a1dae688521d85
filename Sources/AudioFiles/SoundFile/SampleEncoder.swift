// SPDX-License-Identifier: Apache-2.0
/// Quantises samples into a writer's layout and hands them on in large blocks.
///
/// Session thread only. Where that is allowed the writer works on a thread of its own from the third block on,
/// and belongs to that thread until ``complete()`` or ``abandon()``.
final class SampleEncoder {
  private let writer: any SampleWriter
  private var staged = ByteQueue(capacity: FileDescriptor.blockSize)
  private let overlap: WorkerAllowance?
  private var exchange: BlockExchange?
  /// Blocks that the session thread wrote itself: for a short file no thread is worth starting.
  private var ownBlocks = 0
  private var handedOver: (sampleFrames: Int64, clippedSamples: Int) = (0, 0)
  private let bytesPerFrame: Int
  let channelCount: Int
  private(set) var quantiser: Quantiser
  /// What the quantiser had clipped in another file.
  private let clippedBefore: Int
  /// What it had met that was no number.
  private let notNumbersBefore: Int
  private var scaled = SampleQueue<Double>()
  /// Samples per channel that the writer took.
  var samplesPerChannel: Int64 {
    exchange == nil ? writer.sampleFrames : handedOver.sampleFrames
  }
  /// Whether it was given any.
  private(set) var hasSamples = false
  private var isReaderGone = false
  /// Of what is handed on; nil where nobody asked.
  var digest: SampleDigest?
  /// How many bytes the writer gets at a time, neither more nor fewer until the end; nil: as they come.
  private let pieceSize: Int?

  /// - Parameters:
  ///   - writer: takes the bytes.
  ///   - channelCount: of the stream.
  ///   - dither: what is added before samples are rounded.
  ///   - quantiser: that of a file whose stream goes on in this one.
  ///   - overlap: whether the writer may have a thread of its own now; nil where it never has one.
  ///   - samplesPerWrite: over all channels, whole sample frames: so many the writer gets at a time, and the rest at
  ///     the end. nil: as they come.
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

  /// Samples so far that did not fit.
  var clippedSamples: Int {
    quantiser.clippedSamples - clippedBefore
      + (exchange == nil ? writer.clippedSamples : handedOver.clippedSamples)
  }

  /// Samples so far that were not numbers.
  var notANumberSamples: Int { quantiser.notANumberSamples - notNumbersBefore }

  /// Takes interleaved whole sample frames; they may stay here until the next `flush`.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    if !samples.isEmpty { hasSamples = true }
    var start = 0
    while start < samples.count, !isReaderGone {
      let room = staged.free / bytesPerFrame * channelCount
      guard room > 0 else {
        if try flush() == .accepted { makeRoom() }
        continue
      }
      let end = min(samples.count, start + room)
      stage(samples.extracting(start..<end))
      start = end
    }
    return isReaderGone ? .readerGone : .accepted
  }

  /// Appends silence where the writer does so at no cost, and it is no more than silence: without dither.
  ///
  /// - Parameter length: in samples per channel.
  /// - Returns: whether it did.
  func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    guard quantiser.dither == .none, digest == nil, exchange == nil else { return false }
    guard try flush() == .accepted, try writer.appendSilence(length) else { return false }
    hasSamples = true
    return true
  }

  /// For a piece that is larger than a block: it grows with the samples, not with the number that was asked for.
  private func makeRoom() {
    guard staged.free < bytesPerFrame else { return }
    staged = staged.doubled()
  }

  /// Hands on everything held back; of pieces, those that are whole.
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

  /// Gives the writer the oldest `byteCount` bytes. Those that a failed write did not take are lost; they must not be
  /// tried again.
  private func writeOldest(_ byteCount: Int) throws(AudioError) {
    let staged = staged
    defer { staged.consume(byteCount) }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: staged.bytes[..<byteCount])
    unsafe digest?.update(bytes)
    isReaderGone = try unsafe writer.write(bytes) == .readerGone
  }

  /// Hands on everything held back and waits until the writer has it.
  func complete() throws(AudioError) {
    if try flush() == .accepted { _ = try flushAll() }
    try exchange?.drain()
    abandon()
  }

  /// Takes the writer back; what it was not given yet is lost.
  func abandon() {
    exchange?.end()
    exchange = nil
  }

  /// Gives the writer a thread of its own where that is worth it.
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
    // The limit lies beyond what the codec keeps, but within its carrier, or a clipped sample would be
    // counted twice. In this order of the arguments NaN stays NaN.
    for index in values.indices {
      values[index] = min(max(values[index], -1.5 * fullScale), 1.5 * fullScale)
    }
    staged.append(exactly: byteCount) { bytes in quantiser.encode(scaled.readable, into: &bytes) }
  }
}
