// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Reads the stored samples of a sound file, interleaved and in one layout. Hides the header and the codec.
protocol SampleReader: AnyObject {
  /// The layout of the samples that `read` returns.
  var layout: SampleLayout { get }

  /// Stores the available bytes, not only whole samples, at the start of `bytes`. `bytes` must hold at least one sample
  /// frame.
  ///
  /// - Returns: the number of bytes; 0 = the end.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int

  /// Skips samples without decoding them if the file supports this exactly.
  ///
  /// - Returns: whether it skipped; if not, nothing has changed.
  func skip(sampleFrames: Int64) throws(AudioError) -> Bool
}

extension SampleReader {
  /// Reads until `queue` holds at least `count` bytes.
  ///
  /// - Returns: false if the samples end before.
  func fill(_ queue: ByteQueue, atLeast count: Int) throws(AudioError) -> Bool {
    while queue.count < count {
      let more = try unsafe queue.append { (bytes) throws(AudioError) in
        try unsafe read(into: bytes)
      }
      if more == 0 { return false }
    }
    return true
  }
}

/// Reads samples that are stored without a codec: a WAV `data` chunk or a file without a header.
final class PlainSampleReader: SampleReader {
  let layout: SampleLayout
  private let descriptor: FileDescriptor
  private let bytesPerFrame: Int
  /// The place of the next byte; nil on a pipe.
  private var offset: Int64?
  /// The most remaining bytes of samples.
  private var remaining: Int64

  /// - Parameters:
  ///   - offset: the place of the first sample. On a pipe, it must be the next byte.
  ///   - byteCount: the most bytes of samples; nil = up to the end.
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

/// Reads 64-bit integer samples as `f64`: no sample type of the library has more than 53 significant bits.
final class WideIntegerReader: SampleReader {
  let layout = SampleLayout(SampleLayout.Storage.f64)
  private let stored: PlainSampleReader
  private let byteOrder: ByteOrder
  private let staged = ByteQueue(capacity: FileDescriptor.blockSize)

  /// - Parameter stored: a reader of the file's samples, 8 bytes each.
  init(_ stored: PlainSampleReader, _ byteOrder: ByteOrder) {
    self.stored = stored
    self.byteOrder = byteOrder
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    guard try stored.fill(staged, atLeast: 8) else { return 0 }
    let samples = min(staged.count, bytes.count) / 8
    for index in 0..<samples {
      let word = unsafe staged.bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
      let value = byteOrder == .little ? Int64(littleEndian: word) : Int64(bigEndian: word)
      unsafe bytes.storeBytes(of: Double(value) * 0x1p-63, toByteOffset: index * 8, as: Double.self)
    }
    staged.consume(samples * 8)
    return samples * 8
  }

  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    try staged.count == 0 ? stored.skip(sampleFrames: sampleFrames) : false
  }
}

/// Reads and decodes the next blocks of a file while the session works on the previous one.
///
/// Session thread only, except for the reading.
final class ReadAhead {
  private let exchange: BlockExchange
  private let blockSize: Int

  /// The most files that are read ahead at the same time. Each takes a thread and half a MiB.
  private static let most = 4
  private static let running = Atomic(0)

  /// Starts to read at the current position of `reader`. The thread owns it from now on.
  ///
  /// - Returns: nil if no thread is available.
  init?(_ reader: any SampleReader, bytesPerFrame: Int) {
    guard Processors.available > 1 else { return nil }
    guard Self.running.add(1, ordering: .relaxed).newValue <= Self.most else {
      Self.running.subtract(1, ordering: .relaxed)
      return nil
    }
    let size = FileDescriptor.blockSize / bytesPerFrame * bytesPerFrame
    let blocks = (0..<2).map { _ in ByteQueue(capacity: size) }
    blockSize = size
    func fill(_ block: ByteQueue) throws(AudioError) -> Bool {
      try reader.fill(block, atLeast: size)
    }
    do {
      exchange = try BlockExchange(named: "file reader", todo: blocks, done: [], work: fill)
    } catch {
      Self.running.subtract(1, ordering: .relaxed)
      return nil
    }
  }

  deinit {
    exchange.end()
    Self.running.subtract(1, ordering: .relaxed)
  }

  /// Returns the next block, and refills `used` if it is one of the thread's blocks.
  ///
  /// - Returns: nil at the end of the file.
  func next(returning used: ByteQueue) throws(AudioError) -> ByteQueue? {
    used.consume(used.count)
    return try exchange.exchange(used.capacity >= blockSize ? used : nil)
  }
}
