// SPDX-License-Identifier: Apache-2.0
/// The header of a RIFF, RIFX, RF64 or BW64 file of form WAVE, up to the first sample.
///
/// Sources: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" (RIFF), EBU
/// Tech 3306 (RF64), ITU-R BS.2088 (BW64).
struct WaveHeader {
  /// The sizes that sox, arecord and ffmpeg write before they know the true one.
  static let placeholders: Set<UInt64> = [0, 0x7FFF_F000, 0x8000_0000, 0xFFFF_FFFF]

  var byteOrder: ByteOrder
  var is64Bit: Bool
  var format: WaveFormat
  var dataOffset: Int64
  /// The size of the samples in bytes according to the header; nil = they continue to the end.
  var claimedBytes: Int64?
  /// The existing bytes of samples; nil on a pipe, where only the end shows them.
  var actualBytes: Int64?
  /// The bytes of samples behind the stated size.
  var bytesBehind: Int64 = 0
  /// The samples per channel that a codec's `fact` chunk states.
  var statedSamples: Int64?

  /// Whether `head` begins such a file.
  static func begins(_ head: [UInt8]) -> Bool {
    ["RIFF", "RIFX", "RF64", "BW64"].contains { head.has($0, at: 0) } && head.has("WAVE", at: 8)
  }
}

extension WaveHeader {
  /// Reads a header, up to the first sample.
  ///
  /// If a stream's `fmt ` chunk names a codec, reading stops behind that chunk: libsndfile reads the rest, and the
  /// sizes stay nil.
  ///
  /// - Throws: `malformed` if the header contradicts itself or ends early; `inputOutput`.
  init(reading input: WaveHeaderInput) throws(AudioError) {
    let name = input.descriptor.name
    func malformed(_ reason: String) -> AudioError {
      .malformed(name, because: reason)
    }
    let head = try input.next(12)
    guard Self.begins(head) else { throw malformed("it does not begin like a WAV file") }
    let order: ByteOrder = head.has("RIFX", at: 0) ? .big : .little
    let is64Bit = head.has("RF64", at: 0) || head.has("BW64", at: 0)
    var dataSize64: UInt64 = 0
    var format: WaveFormat?
    var endsEarly: AudioError {
      malformed("the WAV header ends before its \(format == nil ? "'fmt '" : "'data'") chunk")
    }
    for _ in 0..<ChunkForm.mostChunks {
      let chunk = try input.next(8)
      guard chunk.count == 8 else { throw endsEarly }
      let size = chunk.integer(at: 4, 4, order)
      if chunk.has("data", at: 0) {
        guard let format else { throw malformed("'data' comes before 'fmt ' in the WAV header") }
        self.init(byteOrder: order, is64Bit: is64Bit, format: format, dataOffset: input.position)
        let is32Bit = try counts(size, before: dataSize64, in: input)
        try settle(size: is32Bit ? size : dataSize64, is32Bit: is32Bit, in: input)
        return
      }
      // 64 KiB hold the longest possible `fmt ` chunk, and `ds64` with its table's start.
      let isKnown = chunk.has("fmt ", at: 0) || (is64Bit && chunk.has("ds64", at: 0))
      let wanted = isKnown ? Int(min(size, 65_536)) : 0
      let body = try input.next(wanted)
      let rest = Int64(size) + Int64(size & 1) - Int64(wanted)
      guard body.count == wanted else { throw malformed("the WAV header is truncated") }
      if chunk.has("fmt ", at: 0) {
        guard let found = WaveFormat(body, order) else {
          throw malformed("its 'fmt ' chunk is too short")
        }
        format = found
        if !found.isPlain {
          self.init(byteOrder: order, is64Bit: is64Bit, format: found, dataOffset: input.position)
          guard input.end != nil else { return }
          guard try input.skip(rest), try measureData(in: input) else { throw endsEarly }
          return
        }
      } else if wanted >= 16 {
        dataSize64 = body.integer(at: 8, 8, order)
      }
      guard try input.skip(rest) else { throw endsEarly }
    }
    throw malformed("more than \(ChunkForm.mostChunks) chunks come before its samples")
  }

  /// Finds the size of a codec's data in a regular file. Sizes beyond 32 bits are not supported.
  ///
  /// - Returns: whether a `data` chunk exists.
  private mutating func measureData(in input: WaveHeaderInput) throws(AudioError) -> Bool {
    for _ in 0..<ChunkForm.mostChunks {
      let chunk = try input.next(8)
      guard chunk.count == 8 else { return false }
      let size = chunk.integer(at: 4, 4, byteOrder)
      if chunk.has("data", at: 0) {
        dataOffset = input.position
        if !Self.placeholders.contains(size) { try settle(size: size, is32Bit: true, in: input) }
        return true
      }
      let body = chunk.has("fact", at: 0) && size >= 4 ? try input.next(4) : []
      if body.count == 4 { statedSamples = Int64(body.integer(at: 0, 4, byteOrder)) }
      guard try input.skip(Int64(size) + Int64(size & 1) - Int64(body.count)) else { return false }
    }
    return false
  }

  /// Whether the size of `data` counts and not that of `ds64`, which some programs do not fill in.
  private func counts(
    _ size: UInt64, before wide: UInt64, in input: WaveHeaderInput
  ) throws(AudioError) -> Bool {
    func ends(_ size: UInt64) throws(AudioError) -> Bool {
      guard let end = input.end, size > 0, size <= UInt64(max(0, end - dataOffset)) else {
        return false
      }
      let behind = min(end, dataOffset + Int64(size + size % 2))
      return try Self.holdsOnlyWholeChunks(input, behind..<end, byteOrder)
    }
    guard is64Bit, wide > 0 else { return !is64Bit || size != 0xFFFF_FFFF }
    if size == 0xFFFF_FFFF { return false }
    if try ends(wide) { return false }
    return try ends(size)
  }

  /// Decides how many of the following bytes are samples.
  private mutating func settle(
    size: UInt64, is32Bit: Bool, in input: WaveHeaderInput
  ) throws(AudioError) {
    let isPlaceholder =
      Self.placeholders.contains(size) || (!is32Bit && size >= UInt64(Int64.max))
    let ignoresLength = input.descriptor.corrections.ignoresLength && format.isPlain
    guard let end = input.end else {
      claimedBytes = isPlaceholder || ignoresLength ? nil : Int64(size)
      // No samples can follow a chunk. Its bytes are given back.
      if size == 0, BytesBehind.isChunk(try input.descriptor.nextBytesGivenBack(4)) {
        claimedBytes = 0
      }
      return
    }
    let present = max(0, end - dataOffset)
    if size == 0 {
      let isEmpty = try Self.holdsOnlyWholeChunks(input, dataOffset..<end, byteOrder)
      claimedBytes = isEmpty ? 0 : nil
      actualBytes = try isEmpty ? 0 : input.soundBytes(from: dataOffset, byteOrder)
    } else if size <= UInt64(present),
      try isTrue(size, isPlaceholder: isPlaceholder, is32Bit, input, before: end)
    {
      claimedBytes = Int64(size)
      actualBytes = Int64(size)
      guard !isPlaceholder, format.isPlain else { return }
      bytesBehind = try input.bytesBehind(dataOffset + Int64(size), byteOrder)
      guard ignoresLength, bytesBehind > 0 else { return }
      claimedBytes = nil
      actualBytes = Int64(size) + bytesBehind
      bytesBehind = 0
    } else {
      claimedBytes = isPlaceholder ? nil : Int64(size)
      actualBytes =
        try isPlaceholder || ignoresLength ? input.soundBytes(from: dataOffset, byteOrder) : present
    }
  }

  /// Whether a size that fits is true. A placeholder is not if samples follow it, because the stream grew beyond it.
  ///
  /// 0xFFFFFFFF is never true: the file's own size would not fit in 32 bits.
  private func isTrue(
    _ size: UInt64, isPlaceholder: Bool, _ is32Bit: Bool, _ input: WaveHeaderInput,
    before end: Int64
  ) throws(AudioError) -> Bool {
    if !isPlaceholder { return true }
    if is32Bit, size == 0xFFFF_FFFF { return false }
    let behind = min(end, dataOffset + Int64(size + size % 2))
    return try Self.holdsOnlyWholeChunks(input, behind..<end, byteOrder)
  }

  /// Whether the bytes of `range` are only whole RIFF chunks.
  private static func holdsOnlyWholeChunks(
    _ input: WaveHeaderInput, _ range: Range<Int64>, _ order: ByteOrder
  ) throws(AudioError) -> Bool {
    let form = ChunkForm.riff(order)
    var position = range.lowerBound
    for _ in 0...ChunkForm.mostChunks {
      if position >= range.upperBound { return true }
      let head = try input.bytes(form.headSize, at: position)
      // A last chunk of odd size may lack its padding.
      guard ChunkForm.name(head.prefix(4)) != nil, let end = form.end(of: head, at: position),
        end <= range.upperBound
      else { return false }
      position += form.padded(end - position)
    }
    return false
  }
}

/// The bytes of a WAVE header in order. A pipe's bytes are kept, because a codec must see them again.
final class WaveHeaderInput {
  /// The most bytes of a pipe that are kept: a header with the largest allowed metadata. A longer header is refused.
  private static let keptLimit = Metadata.largestTotal + (1 << 20)

  let descriptor: FileDescriptor
  /// nil for a pipe.
  private let window: FileWindow?
  /// The offset of the next byte from the start of the file, or from the first byte of the pipe.
  private(set) var position: Int64
  /// The bytes read from a pipe so far.
  private(set) var kept: [UInt8] = []

  /// - Parameter start: the place of the header in the file.
  init(_ descriptor: FileDescriptor, from start: Int64) throws(AudioError) {
    self.descriptor = descriptor
    window = descriptor.isRegular ? try FileWindow(of: descriptor) : nil
    position = start
  }

  /// The file's end; nil for a pipe.
  var end: Int64? { window?.range.upperBound }

  /// The `byteCount` bytes from `offset` on; fewer at the end, none of a pipe.
  func bytes(_ byteCount: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    try window?.bytes(byteCount, at: offset) ?? []
  }

  /// The next `byteCount` bytes; fewer at the end.
  func next(_ byteCount: Int) throws(AudioError) -> [UInt8] {
    let bytes: [UInt8]
    if let window {
      bytes = try window.bytes(byteCount, at: position)
    } else {
      bytes = try descriptor.nextBytes(byteCount)
      kept += bytes
    }
    position += Int64(bytes.count)
    return bytes
  }

  /// The bytes of sound behind `end`; see ``BytesBehind``.
  func bytesBehind(_ end: Int64, _ order: ByteOrder) throws(AudioError) -> Int64 {
    guard let window else { return 0 }
    return try BytesBehind.count(in: window, from: end, .riff(order))
  }

  /// The bytes of sound from `start` on, if its size is unknown: to the chunks and tags at the end.
  func soundBytes(from start: Int64, _ order: ByteOrder) throws(AudioError) -> Int64 {
    guard let window else { return 0 }
    return try BytesBehind.end(ofSoundFrom: start, in: window, .riff(order)) - start
  }

  /// Skips `byteCount` bytes.
  ///
  /// - Returns: whether there were enough bytes.
  func skip(_ byteCount: Int64) throws(AudioError) -> Bool {
    if let end {
      guard byteCount <= end - position else { return false }
      position += byteCount
      return true
    }
    guard byteCount <= Int64(Self.keptLimit - kept.count) else { return false }
    return try next(Int(byteCount)).count == Int(byteCount)
  }
}
