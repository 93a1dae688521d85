// SPDX-License-Identifier: Apache-2.0
/// The header packets of a codec in Ogg, and the place of its comments in them.
///
/// Sources: the Vorbis I specification, section 4.2.1 and appendix A; RFC 7845, section 5; "FLAC to Ogg mapping"
/// (xiph.org); the Speex manual, section 7.
enum OggCodec: Equatable {
  case vorbis
  case opus
  case speex
  case flac

  /// - Returns: nil if the stream's first packet is from another codec.
  init?(_ packet: [UInt8]) {
    switch true {
    case packet.has("\u{1}vorbis", at: 0): self = .vorbis
    case packet.has("OpusHead", at: 0): self = .opus
    case packet.has("Speex   ", at: 0): self = .speex
    case packet.has("\u{7F}FLAC", at: 0) && packet.has("fLaC", at: 9): self = .flac
    default: return nil
    }
  }

  /// The bytes in front of the comments in their packet.
  var commentPrefix: [UInt8] {
    switch self {
    case .vorbis: [3] + Array("vorbis".utf8)
    case .opus: Array("OpusTags".utf8)
    case .speex: []
    // The head of a block precedes them.
    case .flac: []
    }
  }

  /// The number of packets in front of the samples; nil if the headers themselves tell it.
  var headerCount: Int? {
    switch self {
    case .vorbis: 3
    case .opus: 2
    case .speex, .flac: nil
    }
  }
}

/// Collects the comments of the first sound stream in an Ogg file.
enum OggComments {
  /// The most bytes to read: enough for the largest piece in Base64 with its surroundings.
  private static let mostBytes = Metadata.largestTotal
  private static let mostPages = Metadata.mostChunks

  /// - Parameter start: the offset of the first page.
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
        collection.omissions.append(
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
        // All streams begin in front of any other page.
        if found == nil, page.page.flags & OggPage.isFirst == 0 { break }
        continue
      }
      packets.add(page.page)
      if packets.byteCount > mostBytes {
        collection.omissions.append(
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

  /// Collects the pieces among the packets read so far.
  ///
  /// - Returns: whether no further packet can hold a piece.
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
    // A frame begins with 0xFF, which is no block's first byte.
    let isFrame = last.first == 0xFF
    let isLast = last.first.map { $0 & 0x80 != 0 } ?? true
    guard isFrame || isLast || packets.count > Metadata.mostChunks else { return false }
    for packet in packets where packet.count >= 4 && packet[0] != 0xFF {
      let name = FlacBlocks.name(packet[0] & 0x7F)
      guard collection.mayFollow(called: "\(name) block") else { break }
      guard FlacBlocks.number(name) != nil,
        packet.count - 4 == Int(packet.integer(at: 1, 3, .big))
      else { continue }
      collection.take(.init(.flac, name, Array(packet[4...])), called: "\(name) block")
    }
    return true
  }
}
