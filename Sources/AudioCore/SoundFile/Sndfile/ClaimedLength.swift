/// The length that a header states, which libsndfile cuts to the file's own without saying so.
enum ClaimedLength {
  /// The bytes of samples, or the sample frames, that a header states.
  enum Unit: Equatable {
    case bytes(Int64)
    case sampleFrames(Int64)
  }

  /// - Parameter head: the first bytes of the file.
  /// - Returns: nil where the header does not say, or not within `head`.
  static func find(in head: [UInt8]) -> Unit? {
    if head.has(".snd", at: 0) { return au(head) }
    if head.has("FORM", at: 0) { return aiff(head) }
    if head.has("riff", at: 0) { return w64(head) }
    return nil
  }

  /// Sun AU: the third word is the number of bytes, all ones where it is not known.
  private static func au(_ head: [UInt8]) -> Unit? {
    guard head.count >= 12 else { return nil }
    let size = head.integer(at: 8, 4, .big)
    return size == 0xFFFF_FFFF || size == 0 ? nil : .bytes(Int64(size))
  }

  /// AIFF and AIFF-C: `COMM` states the sample frames after its channel count.
  private static func aiff(_ head: [UInt8]) -> Unit? {
    var position = 12
    while position + 18 <= head.count {
      if head.has("COMM", at: position) {
        return .sampleFrames(Int64(head.integer(at: position + 10, 4, .big)))
      }
      let size = Int(head.integer(at: position + 4, 4, .big))
      position += 8 + size + (size & 1)
    }
    return nil
  }

  /// Wave64: 16-byte identifiers, 64-bit sizes that count themselves and the identifier, and chunks
  /// that begin at multiples of 8.
  private static func w64(_ head: [UInt8]) -> Unit? {
    var position = 40
    while position + 24 <= head.count {
      let size = head.integer(at: position + 16, 8, .little)
      guard size >= 24, size < 1 << 62 else { return nil }
      if head.has("data", at: position) { return .bytes(Int64(size) - 24) }
      guard size < 1 << 16 else { return nil }
      position += (Int(size) + 7) & ~7
    }
    return nil
  }
}
