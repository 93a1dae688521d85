// What `make fuzz` runs: libFuzzer calls this with bytes of its own making, and stops at the first that
// crash a parser or break what it promises.

/// The first byte says which parser gets the others.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let input = Array(bytes.dropFirst())
  switch bytes[0] % 4 {
  case 0: readJSON(input)
  case 1: _ = try? FirstLine(input)
  case 2: _ = try? ControlCommand(input)
  default: readPackets(input)
  }
  return 0
}

/// What was read and written is read again as the same.
private func readJSON(_ input: [UInt8]) {
  guard let value = try? JSONValue(reading: input) else { return }
  let text = value.compact
  guard let again = try? JSONValue(reading: text.utf8) else { fatalError("cannot read \(text)") }
  precondition(again.compact == text)
}

/// However the bytes are cut, the same packets come out, and no byte is lost.
private func readPackets(_ input: [UInt8]) {
  guard let cut = input.first else { return }
  let bytes = Array(input.dropFirst())
  let sampleFrameSize = 1 + Int(cut & 3)
  let whole = packets(bytes, pieces: bytes.count, sampleFrameSize)
  precondition(whole == packets(bytes, pieces: 1 + Int(cut >> 2), sampleFrameSize))
}

private func packets(_ bytes: [UInt8], pieces length: Int, _ sampleFrameSize: Int) -> [UInt64] {
  var reader = PacketReader(sampleFrameSize: sampleFrameSize)
  var told: [UInt64] = []
  var start = 0
  do {
    while start < bytes.count {
      let end = min(start + length, bytes.count)
      try reader.read(bytes.span.bytes.extracting(start..<end)) { (header) throws(AudioError) in
        told += [header.position ?? .max, UInt64(header.payload), 0]
      } append: { (piece) throws(AudioError) in
        precondition(piece.byteCount > 0)
        told[told.count - 1] += UInt64(piece.byteCount)
      }
      start = end
    }
  } catch {
    told.append(.max)
  }
  return told
}
