// SPDX-License-Identifier: Apache-2.0
/// Puts the bytes of a client into its link, each sample at its place. The listener's thread.
struct SourceFeed {
  private let link: SourceLink
  private var packets: PacketReader?
  /// The first position in the client's count; nil before its first packet.
  private var origin: UInt64?
  /// The end of the stream so far, counted from ``origin``.
  private var end: UInt64 = 0
  /// Whether the last samples had a position of their own.
  private var isPositioned = false
  /// Bytes of the packet still to be dropped.
  private var surplus = 0
  /// Whether samples are dropped, because the source is being cleared.
  private var isClearing = false
  /// Whether samples before the next ones were dropped so.
  private var hasCleared = false
  /// Bytes of an incomplete sample frame; they lie in the ring behind the pushed frames.
  private var partial = 0

  init(_ link: SourceLink, _ framing: JoinRequest.Framing) {
    self.link = link
    if framing == .packets { packets = PacketReader(sampleFrameSize: link.sampleFrameSize) }
  }

  /// The longest gap that a packet may leave: an hour.
  static func longestGap(at sampleRate: Int) -> Int64 { 3_600 * Int64(sampleRate) }

  /// The number of bytes of any kind that can be taken now.
  var room: Int {
    // A jump takes time, as samples do.
    guard link.pendingJump <= Int64(link.ring.capacity) else { return 0 }
    let bytes = link.ring.free() * link.sampleFrameSize - partial
    guard packets != nil else { return bytes }
    // Every packet may need a mark, but an empty one needs none.
    return min(bytes, link.marks.ring.free() * (PacketHeader.byteCount + link.sampleFrameSize))
  }

  /// The value of ``room`` while the ring is empty.
  var wholeRoom: Int {
    let bytes = link.ring.capacity * link.sampleFrameSize
    guard packets != nil else { return bytes }
    return min(bytes, link.marks.ring.capacity * (PacketHeader.byteCount + link.sampleFrameSize))
  }

  /// Whether the client ended in the middle of a packet or of a sample.
  var isBroken: Bool { partial > 0 || !(packets?.isBetweenPackets ?? true) }

  /// Takes the client's next bytes, at most ``room``.
  ///
  /// - Throws: `malformed` if they are no valid packets.
  mutating func take(_ bytes: RawSpan) throws(AudioError) {
    guard var packets else { return append(bytes) }
    // Moved out of the structure, so that the structure may change while the reader runs.
    self.packets = nil
    var feed = self
    defer {
      self = feed
      self.packets = packets
    }
    try packets.read(bytes) { (header) throws(AudioError) in
      try feed.begin(header)
    } append: { (piece) throws(AudioError) in
      feed.append(piece)
    }
  }

  /// Drops the client's next bytes, and the rest of the packet or sample that they begin.
  mutating func clear(_ bytes: RawSpan) throws(AudioError) {
    guard packets != nil else {
      let whole = (surplus - partial - bytes.byteCount) % link.sampleFrameSize
      surplus = whole < 0 ? whole + link.sampleFrameSize : whole
      return partial = 0
    }
    partial = 0
    (isClearing, hasCleared) = (true, true)
    defer { isClearing = false }
    try take(bytes)
    surplus = packets?.remaining ?? 0
  }

  private mutating func begin(_ header: PacketHeader) throws(AudioError) {
    let length = UInt64(header.payload / link.sampleFrameSize)
    // An empty packet has no effect.
    guard length > 0 else { return }
    let origin = origin ?? header.position ?? 0
    self.origin = origin
    guard let counted = header.position else {
      if isPositioned, !isClearing { mark(nil) }
      isPositioned = isPositioned && isClearing
      end += length
      return
    }
    // Samples before the client's first position are late.
    let position = counted < origin ? 0 : counted - origin
    let early = counted < origin ? min(origin - counted, length) : 0
    if isClearing { return end = max(end, position + length - early) }
    if position > end {
      let jump = position - end
      guard jump <= UInt64(Self.longestGap(at: link.format.sampleRate)) else {
        throw PacketHeader.fault(
          "it begins \(jump) samples after the one before, more than an hour")
      }
      mark(Int64(position), jump: Int64(jump))
      end = position + length
    } else {
      let late = early + min(end - position, length - early)
      surplus = Int(late) * link.sampleFrameSize
      link.late.add(Int64(late))
      guard late < length else { return }
      if !isPositioned || hasCleared { mark(Int64(end)) }
      end += length - late
    }
    (isPositioned, hasCleared) = (true, false)
  }

  private func mark(_ position: Int64?, jump: Int64 = 0) {
    link.jumped.add(jump)
    link.marks.append(SourceMark(index: link.ring.given(), position: position, jump: jump))
  }

  private mutating func append(_ bytes: RawSpan) {
    if isClearing { return }
    let dropped = min(surplus, bytes.byteCount)
    surplus -= dropped
    var rest = bytes.extracting(droppingFirst: dropped)
    while rest.byteCount > 0 {
      let space = unsafe link.ring.writable()
      let count = min(space.count - partial, rest.byteCount)
      precondition(count > 0, "more than there is room for")
      unsafe rest.extracting(first: count).withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: space[partial...]).copyMemory(from: source)
      }
      partial += count
      link.ring.push(partial / link.sampleFrameSize)
      partial %= link.sampleFrameSize
      rest = rest.extracting(droppingFirst: count)
    }
  }
}
