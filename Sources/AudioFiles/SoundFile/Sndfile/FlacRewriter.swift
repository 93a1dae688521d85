// SPDX-License-Identifier: Apache-2.0
/// Replaces the metadata blocks that libFLAC writes behind STREAMINFO, or those of a file that is copied.
///
/// STREAMINFO keeps its place, so that the encoder and ``FlacLength`` can change it later. Tables of places count from the
/// first frame, and stay.
final class FlacRewriter: ByteRewriter {
  /// `fLaC`, and STREAMINFO with its head.
  private static let headSize = 4 + 4 + 34
  private static let isLast: UInt8 = 0x80

  private let composition: XiphComposition
  /// The encoder's bytes until all its blocks have arrived.
  private var held: [UInt8] = []
  /// The start of the encoder's frames; nil = not known yet.
  private var oldStart: Int64?
  /// The place in the file for the length that GUANO states; nil = nowhere.
  private(set) var placeOfLength: Int64?
  /// The start of the frames in the file.
  private var newStart: Int64 = 0

  init(_ composition: XiphComposition) { self.composition = composition }

  func rewritten(_ bytes: [UInt8], at offset: Int64) throws(AudioError) -> [PlacedBytes] {
    guard let oldStart else { return begin(bytes, at: offset) }
    var pieces: [PlacedBytes] = []
    let inHead = min(bytes.count, max(0, Self.headSize - Int(clamping: offset)))
    if inHead > 0 {
      var head = Array(bytes[..<inHead])
      // More blocks follow STREAMINFO, even if the encoder marks it as the last one.
      if offset <= 4, offset + Int64(inHead) > 4 { head[Int(4 - offset)] &= ~Self.isLast }
      pieces.append(PlacedBytes(offset: offset, bytes: head))
    }
    let skipped = min(bytes.count, max(0, Int(clamping: oldStart - offset)))
    if skipped < bytes.count {
      pieces.append(
        PlacedBytes(offset: place(of: offset + Int64(skipped)), bytes: Array(bytes[skipped...])))
    }
    return pieces
  }

  private func begin(_ bytes: [UInt8], at offset: Int64) -> [PlacedBytes] {
    let start = Int(clamping: offset)
    guard start <= held.count else { return [] }
    held.replaceSubrange(start..<min(held.count, start + bytes.count), with: bytes)
    guard let (end, vendor, places) = blocks() else { return [] }
    oldStart = Int64(end)
    var file = Array(held[..<Self.headSize])
    file[4] &= ~Self.isLast
    file += places
    file += composition.bytes(vendor: vendor)
    newStart = Int64(file.count)
    if composition.hasRoomForLength {
      placeOfLength = GuanoText.placeOfRoom(inBlocks: file).map { Int64($0) }
    }
    file += held[end...]
    held = []
    return [PlacedBytes(offset: 0, bytes: file)]
  }

  /// The end of the encoder's blocks, its vendor string, and its tables of places; nil until all blocks have arrived.
  private func blocks() -> (end: Int, vendor: ArraySlice<UInt8>, places: [UInt8])? {
    var position = 4
    var vendor: ArraySlice<UInt8> = []
    var places: [UInt8] = []
    while position + 4 <= held.count {
      let size = Int(held.integer(at: position + 1, 3, .big))
      let end = position + 4 + size
      guard end <= held.count else { return nil }
      if held[position] & 0x7F == 4, let comments = VorbisComments(held[position + 4..<end]) {
        vendor = comments.vendor
      }
      if held[position] & 0x7F == 3 {
        places += [3] + held[position + 1..<end]
      }
      if held[position] & Self.isLast != 0 {
        return end >= Self.headSize ? (end, vendor, places) : nil
      }
      position = end
    }
    return nil
  }

  func rest() -> [PlacedBytes] {
    defer { held = [] }
    return held.isEmpty ? [] : [PlacedBytes(offset: 0, bytes: held)]
  }

  func place(of offset: Int64) -> Int64 {
    guard let oldStart, offset >= Int64(Self.headSize) else { return offset }
    return max(newStart, offset - oldStart + newStart)
  }
}
