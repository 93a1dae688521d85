// SPDX-License-Identifier: Apache-2.0
/// What a codec puts in front of its samples in Ogg, and where its comments are in that.
///
/// Sources: the Vorbis I specification, section 4.2.1 and appendix A; RFC 7845, section 5; "FLAC to Ogg mapping"
/// (xiph.org); the Speex manual, section 7.
enum OggCodec: Equatable {
  case vorbis
  case opus
  case speex
  case flac

  /// - Returns: nil where the stream's first packet is that of another codec.
  init?(_ packet: [UInt8]) {
    if packet.has("\u{1}vorbis", at: 0) {
      self = .vorbis
    } else if packet.has("OpusHead", at: 0) {
      self = .opus
    } else if packet.has("Speex   ", at: 0) {
      self = .speex
    } else if packet.has("\u{7F}FLAC", at: 0), packet.has("fLaC", at: 9) {
      self = .flac
    } else {
      return nil
    }
  }

  /// What stands in front of the comments in their packet.
  var commentPrefix: [UInt8] {
    switch self {
    case .vorbis: [3] + Array("vorbis".utf8)
    case .opus: Array("OpusTags".utf8)
    case .speex: []
    // The head of a block.
    case .flac: []
    }
  }

  /// How many packets come in front of the samples; nil where the last of them says so.
  var headerCount: Int? {
    switch self {
    case .vorbis: 3
    case .opus: 2
    case .speex, .flac: nil
    }
  }
}

/// Collects the comments of the first stream in an Ogg file that is sound.
enum OggComments {
  /// Larger than the largest piece, in Base64, with what stands around it.
  private static let mostBytes = Metadata.largestTotal
  private static let mostPages = Metadata.mostChunks

  /// - Parameter start: where the first page is.
  static func collect(
    _ source: any ByteSource, from start: Int64
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    var collection = PieceCollection(source)
    var position = start
    var found: (codec: OggCodec, stream: UInt32)?
    var packets = OggPackets()
    var pageCount = 0
    while let page = try page(source, at: position) {
      position += Int64(page.bytes)
      pageCount += 1
      guard pageCount <= mostPages else {
        collection.omit(
          "\(VorbisComments.identifier) packet",
          because: "it does not end within \(mostPages) pages")
        break
      }
      if found == nil, page.page.flags & OggPage.isFirst != 0 {
        var first = OggPackets()
        first.add(page.page)
        if let codec = first.packets.first.flatMap({ OggCodec($0) }) {
          found = (codec, page.page.stream)
        }
      }
      guard let found, page.page.stream == found.stream else {
        // Behind the first pages of all streams no other begins.
        if found == nil, page.page.flags & OggPage.isFirst == 0 { break }
        continue
      }
      packets.add(page.page)
      if packets.byteCount > mostBytes {
        collection.omit(
          "\(VorbisComments.identifier) packet", because: "it has more than \(mostBytes) bytes")
        break
      }
      if take(packets.packets, found.codec, into: &collection) { break }
    }
    return (collection.chunks, collection.omissions)
  }

  private static func page(
    _ source: any ByteSource, at position: Int64
  ) throws(AudioError) -> (page: OggPage, bytes: Int)? {
    let head = try source.bytes(OggPage.headSize + 255, at: position)
    guard let (_, size) = OggPage.sizes(head) else { return nil }
    let bytes =
      size <= head.count ? Array(head[..<size]) : try source.bytes(size, at: position)
    return OggPage(bytes).map { ($0, size) }
  }

  /// Takes the pieces among the packets that are there.
  ///
  /// - Returns: whether all that may be among them are there.
  private static func take(
    _ packets: [[UInt8]], _ codec: OggCodec, into collection: inout PieceCollection
  ) -> Bool {
    if codec == .flac { return takeBlocks(packets.dropFirst(), into: &collection) }
    guard packets.count >= 2 else { return false }
    let packet = packets[1]
    let prefix = codec.commentPrefix
    guard packet.starts(with: prefix) else { return true }
    collection.take(
      .init(.ogg, VorbisComments.identifier, Array(packet[prefix.count...])),
      called: "\(VorbisComments.identifier) packet")
    return true
  }

  /// Each packet is a block with its head.
  private static func takeBlocks(
    _ packets: ArraySlice<[UInt8]>, into collection: inout PieceCollection
  ) -> Bool {
    guard let last = packets.last else { return false }
    // A frame begins with all bits set; a block's number never has them.
    let isFrame = last.first == 0xFF
    let isLast = last.first.map { $0 & 0x80 != 0 } ?? true
    guard isFrame || isLast || packets.count > Metadata.mostChunks else { return false }
    for packet in packets where packet.count >= 4 && packet[0] != 0xFF {
      let number = packet[0] & 0x7F
      guard collection.mayFollow(called: "\(FlacBlocks.name(number)) block") else { break }
      guard let name = FlacBlocks.names[number] ?? unknown(number),
        packet.count - 4 == Int(packet.integer(at: 1, 3, .big))
      else { continue }
      collection.take(.init(.flac, name, Array(packet[4...])), called: "\(name) block")
    }
    return true
  }

  private static func unknown(_ number: UInt8) -> String? {
    let name = FlacBlocks.name(number)
    return FlacBlocks.number(name) == nil ? nil : name
  }
}
