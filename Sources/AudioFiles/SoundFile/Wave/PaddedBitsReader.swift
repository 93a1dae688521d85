// SPDX-License-Identifier: Apache-2.0
/// Finds the used bytes in samples of 17 to 24 bits in four bytes.
struct PaddedBitsEvidence {
  private var usesLowByte = false
  private var usesHighByte = false
  private let byteOrder: ByteOrder

  init(_ byteOrder: ByteOrder) { self.byteOrder = byteOrder }

  /// nil after only silence. `low` if the low byte is used and the high byte only repeats the sign.
  var verdict: PaddedBits? {
    usesHighByte ? .high : usesLowByte ? .low : nil
  }

  /// Whether further samples cannot change the verdict.
  var isSettled: Bool { usesHighByte }

  /// - Parameter bytes: whole samples.
  mutating func look(at bytes: some RandomAccessCollection<UInt8>) {
    var place = bytes.startIndex
    while bytes.distance(from: place, to: bytes.endIndex) >= 4 {
      let next = bytes.index(place, offsetBy: 4)
      var word: UInt32 = 0
      for byte in bytes[place..<next] { word = word << 8 | UInt32(byte) }
      if byteOrder == .little { word = word.byteSwapped }
      if word & 0xFF != 0 { usesLowByte = true }
      let value = Int32(bitPattern: word)
      if (value << 8) >> 8 != value {
        usesHighByte = true
        return
      }
      place = next
    }
  }

  /// Examines as many samples of a file as necessary.
  ///
  /// - Parameter range: the place of the samples in the file.
  /// - Returns: `high` without evidence for `low`.
  static func verdict(
    in window: FileWindow, _ range: Range<Int64>, _ byteOrder: ByteOrder
  ) throws(AudioError) -> PaddedBits {
    var evidence = Self(byteOrder)
    var position = range.lowerBound
    var left = sufficient
    while position < range.upperBound, left > 0, !evidence.isSettled {
      let count = Int(min(Int64(FileWindow.usualBlockSize), range.upperBound - position))
      let bytes = try window.bytes(count, at: position)
      if bytes.isEmpty { break }
      evidence.look(at: bytes)
      if evidence.verdict != nil { left -= bytes.count }
      position += Int64(bytes.count)
    }
    return evidence.verdict ?? .high
  }

  /// The bytes to examine before trusting `low`, counted from the first block that is not silent.
  private static let sufficient = 1 << 20
}

/// Reads samples of 17 to 24 bits in four bytes as `s32`. Moves up those in the low three bytes.
///
/// A stream's first samples that are not silent decide, because silence looks alike in both places.
final class PaddedBitsReader: SampleReader {
  let layout: SampleLayout
  private let stored: PlainSampleReader
  private(set) var place: PaddedBits?
  private var evidence: PaddedBitsEvidence
  private let staged = ByteQueue(capacity: FileDescriptor.blockSize)
  private var hasEnded = false
  /// The bytes of a stream to examine, counted from the first samples that are not silent.
  private static let sufficient = 1 << 14

  /// - Parameters:
  ///   - stored: a reader of the file's samples as if they were `s32`.
  ///   - place: nil = find out from the samples.
  init(_ stored: PlainSampleReader, _ place: PaddedBits?) {
    self.stored = stored
    self.place = place
    layout = stored.layout
    evidence = PaddedBitsEvidence(stored.layout.byteOrder)
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    try fill(atLeast: 4)
    if place == nil, unsafe staged.bytes.contains(where: { $0 != 0 }) {
      try fill(atLeast: Self.sufficient)
      unsafe evidence.look(at: staged.bytes)
      place = evidence.verdict ?? .high
    }
    // A partial sample at the end is passed on unchanged.
    guard staged.count >= 4 else {
      let count = min(staged.count, bytes.count)
      unsafe bytes.copyBytes(from: staged.bytes[..<count])
      staged.consume(count)
      return count
    }
    let count = min(staged.count, bytes.count) / 4 * 4
    let isBig = layout.byteOrder == .big
    for offset in stride(from: 0, to: count, by: 4) {
      var word = unsafe staged.bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      if place == .low {
        let value = isBig ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        word = isBig ? (value << 8).bigEndian : (value << 8).littleEndian
      }
      unsafe bytes.storeBytes(of: word, toByteOffset: offset, as: UInt32.self)
    }
    staged.consume(count)
    return count
  }

  private func fill(atLeast wanted: Int) throws(AudioError) {
    if !hasEnded { hasEnded = try !stored.fill(staged, atLeast: wanted) }
  }

  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    try place != nil && staged.count == 0 ? stored.skip(sampleFrames: sampleFrames) : false
  }
}
