// SPDX-License-Identifier: Apache-2.0
/// Collects the blocks in front of a FLAC file's frames, except those that describe the samples.
///
/// Source: RFC 9639, section 8.
enum FlacBlocks {
  static let application = "APPLICATION"
  static let cueSheet = "CUESHEET"
  static let picture = "PICTURE"

  static let names: [UInt8: String] = [
    2: application, 4: VorbisComments.identifier, 5: cueSheet, 6: picture,
  ]
  /// Blocks that describe the samples, index them or pad: STREAMINFO, PADDING, SEEKTABLE.
  private static let ofSamples: Set<UInt8> = [0, 1, 3]
  /// The forbidden block number, which would look like a frame.
  private static let forbidden: UInt8 = 127

  /// A block's name; `BLOCK` and the number if it is unknown.
  static func name(_ number: UInt8) -> String { names[number] ?? "BLOCK \(number)" }

  /// The number of a block of this name; nil if there is no such block.
  static func number(_ name: String) -> UInt8? {
    if let known = names.first(where: { $0.value == name })?.key { return known }
    guard name.hasPrefix("BLOCK "), let number = UInt8(name.dropFirst(6)), number < forbidden,
      !ofSamples.contains(number), names[number] == nil
    else { return nil }
    return number
  }

  /// - Parameter start: the offset of `fLaC`.
  static func collect(
    _ source: any ByteSource, from start: Int64
  ) throws(AudioError) -> (chunks: [Metadata.Chunk], omissions: [Metadata.Omission]) {
    var collection = PieceCollection(source)
    guard try source.bytes(4, at: start).has("fLaC", at: 0) else { return ([], []) }
    var position = start + 4
    var isLast = false
    while !isLast {
      let head = try source.bytes(4, at: position)
      guard head.count == 4, head[0] & 0x7F != forbidden else { break }
      isLast = head[0] & 0x80 != 0
      let number = head[0] & 0x7F
      guard collection.mayFollow(called: "\(name(number)) block") else { break }
      let content = position + 4..<position + 4 + Int64(head.integer(at: 1, 3, .big))
      if !ofSamples.contains(number) {
        let name = name(number)
        guard content.upperBound <= source.range.upperBound else {
          collection.omissions.append("\(name) block", because: "it is cut short")
          break
        }
        try collection.take(.flac, name, content, called: "\(name) block")
      }
      position = content.upperBound
    }
    return (collection.chunks, collection.omissions)
  }
}

extension Metadata.Picture {
  /// - Returns: nil if the block is invalid or incomplete.
  init?(block: [UInt8]) {
    var reader = ByteReader(block)
    func text(_ reader: inout ByteReader) -> ArraySlice<UInt8>? {
      reader.integer(4, .big).flatMap { reader.bytes(Int($0)) }
    }
    guard let kind = reader.integer(4, .big), let mediaType = text(&reader),
      let description = text(&reader), let width = reader.integer(4, .big),
      let height = reader.integer(4, .big), let depth = reader.integer(4, .big),
      let colors = reader.integer(4, .big), let data = text(&reader)
    else { return nil }
    self.init(
      data, kind: Kind(rawValue: Int(kind)), mediaType: StoredText.decoded(mediaType),
      description: StoredText.decoded(description))
    self.width = Int(width)
    self.height = Int(height)
    self.depth = Int(depth)
    self.colors = Int(colors)
  }

  var block: [UInt8] {
    var block: [UInt8] = []
    func append(_ text: some Collection<UInt8>) {
      block.append(text.count, 4, .big)
      block += text
    }
    block.append(UInt32(clamping: kind.rawValue), 4, .big)
    append(mediaType.utf8)
    append(description.utf8)
    for number in [width, height, depth, colors] { block.append(UInt32(clamping: number), 4, .big) }
    append(bytes)
    return block
  }
}
