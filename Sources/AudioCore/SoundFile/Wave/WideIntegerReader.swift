/// 64-bit integer samples, handed on as `f64`: no sample type of ours has more than 53 significant bits.
final class WideIntegerReader: SampleReader {
  let layout = SampleLayout(SampleLayout.Storage.f64)
  private let stored: PlainSampleReader
  private let byteOrder: ByteOrder
  private let staged = ByteQueue(capacity: FileDescriptor.blockSize)

  /// - Parameter stored: delivers the samples as they lie in the file, 8 bytes each.
  init(_ stored: PlainSampleReader, _ byteOrder: ByteOrder) {
    self.stored = stored
    self.byteOrder = byteOrder
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    while staged.count < 8 {
      let count = try unsafe staged.append { (target) throws(AudioError) in
        try unsafe stored.read(into: target)
      }
      if count == 0 { return 0 }
    }
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
