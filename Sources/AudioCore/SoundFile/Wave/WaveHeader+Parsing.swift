extension WaveHeader {
  /// Reads a header, up to the first sample.
  ///
  /// Of a file whose `fmt ` chunk names a codec, no more than that chunk is needed: what follows is
  /// libsndfile's, and where it has no `data` chunk either, the sizes stay nil.
  ///
  /// - Throws: `malformed` where the header contradicts itself or ends early; `inputOutput`.
  init(reading input: WaveHeaderInput) throws(AudioError) {
    let name = input.descriptor.name
    func malformed(_ reason: String) -> AudioError {
      AudioError(.malformed, cannot: "read", name, because: reason)
    }
    let head = try input.next(12)
    guard Self.begins(head) else { throw malformed("it does not begin like a WAV file") }
    let order: ByteOrder = head.has("RIFX", at: 0) ? .big : .little
    let is64Bit = head.has("RF64", at: 0) || head.has("BW64", at: 0)
    var dataSize64: UInt64 = 0
    var format: WaveFormat?
    while true {
      let chunk = try input.next(8)
      guard chunk.count == 8 else {
        throw malformed(
          "the WAV header ends before its \(format == nil ? "'fmt '" : "'data'") chunk")
      }
      let size = chunk.integer(at: 4, 4, order)
      if chunk.has("data", at: 0) {
        guard let format else { throw malformed("'data' comes before 'fmt ' in the WAV header") }
        self.init(byteOrder: order, is64Bit: is64Bit, format: format, dataOffset: input.position)
        let is32Bit = !is64Bit || size != 0xFFFF_FFFF
        try settle(size: is32Bit ? size : dataSize64, is32Bit: is32Bit, in: input)
        return
      }
      // 64 KiB hold the longest `fmt ` chunk that there can be, and `ds64` with its table's start.
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
          if input.end != nil, try input.skip(rest) { try measureData(in: input) }
          return
        }
      } else if wanted >= 16 {
        dataSize64 = body.integer(at: 8, 8, order)
      }
      guard try input.skip(rest) else {
        throw malformed(
          "the WAV header ends before its \(format == nil ? "'fmt '" : "'data'") chunk")
      }
    }
  }

  private init(byteOrder: ByteOrder, is64Bit: Bool, format: WaveFormat, dataOffset: Int64) {
    self.byteOrder = byteOrder
    self.is64Bit = is64Bit
    self.format = format
    self.dataOffset = dataOffset
  }

  /// Finds the size of a codec's data in a regular file; it has no place for sizes beyond 32 bits here.
  private mutating func measureData(in input: WaveHeaderInput) throws(AudioError) {
    while true {
      let chunk = try input.next(8)
      guard chunk.count == 8 else { return }
      let size = chunk.integer(at: 4, 4, byteOrder)
      if chunk.has("data", at: 0) {
        dataOffset = input.position
        if !Self.placeholders.contains(size) { try settle(size: size, is32Bit: true, in: input) }
        return
      }
      guard try input.skip(Int64(size) + Int64(size & 1)) else { return }
    }
  }

  /// Decides how much of what follows are samples.
  private mutating func settle(
    size: UInt64, is32Bit: Bool, in input: WaveHeaderInput
  ) throws(AudioError) {
    let isPlaceholder =
      Self.placeholders.contains(size) || (!is32Bit && size >= UInt64(Int64.max))
    guard let end = input.end else {
      claimedBytes = isPlaceholder ? nil : Int64(size)
      return
    }
    let present = max(0, end - dataOffset)
    if size == 0 {
      let isEmpty = try Self.holdsOnlyWholeChunks(input.descriptor, dataOffset..<end, byteOrder)
      claimedBytes = isEmpty ? 0 : nil
      actualBytes = isEmpty ? 0 : present
    } else if size <= UInt64(present),
      try isTrue(size, isPlaceholder: isPlaceholder, is32Bit, input.descriptor, before: end)
    {
      claimedBytes = Int64(size)
      actualBytes = Int64(size)
    } else {
      claimedBytes = isPlaceholder ? nil : Int64(size)
      actualBytes = present
    }
  }

  /// Whether a size that fits is one, even where it may be a placeholder: a stream that grew beyond it has samples behind it.
  ///
  /// 0xFFFFFFFF never is, for the file's own size would not fit beside it.
  private func isTrue(
    _ size: UInt64, isPlaceholder: Bool, _ is32Bit: Bool, _ file: FileDescriptor, before end: Int64
  ) throws(AudioError) -> Bool {
    if !isPlaceholder { return true }
    if is32Bit, size == 0xFFFF_FFFF { return false }
    let behind = min(end, dataOffset + Int64(size + size % 2))
    return try Self.holdsOnlyWholeChunks(file, behind..<end, byteOrder)
  }

  /// Whether the bytes of `range` are a sequence of RIFF chunks and nothing else.
  private static func holdsOnlyWholeChunks(
    _ file: FileDescriptor, _ range: Range<Int64>, _ order: ByteOrder
  ) throws(AudioError) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let head = try file.bytes(8, at: position)
      guard head.count == 8, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else {
        return false
      }
      let size = Int64(head.integer(at: 4, 4, order))
      position += 8 + size
      // A last chunk of odd size may lack its padding.
      if position > range.upperBound { return false }
      position += size & 1
    }
    return true
  }
}
