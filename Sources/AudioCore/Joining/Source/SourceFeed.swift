/// Puts the bytes of a client into its link, each sample where it belongs. The listener's thread.
struct SourceFeed {
  private let link: SourceLink
  private var packets: PacketReader?
  /// The end of the stream so far, as the client counts; nil before its first packet.
  private var end: UInt64?
  /// Bytes of the packet that are still to be dropped.
  private var surplus = 0
  /// Bytes of a sample frame that is not complete; they lie in the ring behind what was pushed.
  private var partial = 0

  init(_ link: SourceLink, _ framing: JoinRequest.Framing) {
    self.link = link
    if framing == .packets { packets = PacketReader(sampleFrameSize: link.sampleFrameSize) }
  }

  /// The longest gap that a packet may leave: an hour.
  static func longestGap(at sampleRate: Int) -> Int64 { 3_600 * Int64(sampleRate) }

  /// How many bytes can be taken now, whatever they are.
  var room: Int {
    // Silence takes time as samples do.
    guard link.pendingSilence <= Int64(link.ring.capacity) else { return 0 }
    let bytes = link.ring.free() * link.sampleFrameSize - partial
    guard packets != nil else { return bytes }
    // Every packet may leave a gap, and an empty packet leaves none.
    return min(bytes, link.gaps.ring.free() * (PacketHeader.byteCount + link.sampleFrameSize))
  }

  /// What ``room`` is while the ring is empty.
  var wholeRoom: Int {
    let bytes = link.ring.capacity * link.sampleFrameSize
    guard packets != nil else { return bytes }
    return min(bytes, link.gaps.ring.capacity * (PacketHeader.byteCount + link.sampleFrameSize))
  }

  /// Bytes at the end that are no whole sample of every channel.
  var strayBytes: Int { partial }

  /// Whether the client ended in the middle of a packet or of a sample.
  var isBroken: Bool { partial > 0 || !(packets?.isBetweenPackets ?? true) }

  /// Takes the client's next bytes, at most ``room``.
  ///
  /// - Throws: `malformed` where they are no packets.
  mutating func take(_ bytes: RawSpan) throws(AudioError) {
    guard var packets else { return append(bytes) }
    // Out of the structure, so that it may be changed while the reader runs.
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

  private mutating func begin(_ header: PacketHeader) throws(AudioError) {
    let length = UInt64(header.payload / link.sampleFrameSize)
    let expected = end ?? header.position ?? 0
    let position = header.position ?? expected
    // An empty packet says nothing.
    guard length > 0 else { return }
    guard !position.addingReportingOverflow(length).overflow else {
      throw refusal("it begins at \(position) and does not end")
    }
    if position > expected {
      let gap = position - expected
      guard gap <= UInt64(Self.longestGap(at: link.format.sampleRate)) else {
        throw refusal("it begins \(gap) samples after the one before, more than an hour")
      }
      link.gaps.append(SourceGap(position: link.ring.given(), length: Int64(gap)))
      link.count(gap: Int64(gap))
      end = position + length
    } else {
      let late = min(expected - position, length)
      surplus = Int(late) * link.sampleFrameSize
      if late > 0 { link.count(late: Int64(late)) }
      end = max(expected, position + length)
    }
  }

  private func refusal(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "take the packet", "", because: reason)
  }

  private mutating func append(_ bytes: RawSpan) {
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
