// SPDX-License-Identifier: Apache-2.0
@testable import AudioStreams
@testable import AudioCore
@testable import AudioFiles
@testable import AudioDevices
@testable import AudioPictures
@testable import AudioPrograms

// The lines and packets of joining programs, a sound server's listing, and JSON.

/// JSON that was read and written is read back equal.
func readJSON(_ input: [UInt8]) {
  guard let value = try? JSONValue(reading: input) else { return }
  let text = value.compact
  guard let again = try? JSONValue(reading: text.utf8) else { fatalError("cannot read \(text)") }
  precondition(again.compact == text)
}

/// A client's first line, and a controlling client's line; the answer to either is one line.
func readLines(_ input: [UInt8]) {
  answer { () throws(AudioError) in _ = try FirstLine(input) }
  answer { () throws(AudioError) in _ = try ControlCommand(input) }
}

private func answer(_ read: () throws(AudioError) -> Void) {
  do throws(AudioError) {
    try read()
  } catch {
    let line = ReplyLine.refused(error)
    precondition(line.last == 0x0A && !line.dropLast().contains(0x0A))
    precondition((try? JSONValue(reading: line)) != nil)
  }
}

/// Every cut of the bytes gives equal packets, and no byte is lost.
func readPackets(_ input: [UInt8]) {
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

/// Every cut of the bytes gives equal nodes of a PipeWire server.
func readListing(_ input: [UInt8]) {
  guard let cut = input.first else { return }
  let bytes = input.dropFirst()
  let whole = nodes(bytes, pieces: max(bytes.count, 1))
  precondition(whole == nodes(bytes, pieces: 1 + Int(cut)))
}

private func nodes(_ bytes: ArraySlice<UInt8>, pieces length: Int) -> [PipeWireNode] {
  var listing = PipeWireListing()
  for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length) {
    listing.read(bytes[start..<min(start + length, bytes.endIndex)])
  }
  return listing.nodes
}
