// SPDX-License-Identifier: Apache-2.0
/// The comments for a file, and the blocks for FLAC. Old ones that are still correct are kept byte for byte; the others
/// are rewritten.
struct XiphComposition {
  /// Blocks with their numbers. The comments' content is made later, with the encoder's name.
  private(set) var blocks: [(number: UInt8, content: [UInt8])] = []
  private(set) var comments = VorbisComments()
  private(set) var omissions: [Metadata.Omission] = []

  private let wanted: Metadata
  private let texts: Metadata.Tags
  private let channelCount: Int
  private let isFlac: Bool
  /// The pictures that no piece contains yet.
  private var pictures: RemainingPictures
  private var hasComments = false

  private static let commentNumber: UInt8 = 4
  private static let cueSheetNumber: UInt8 = 5
  private static let pictureNumber: UInt8 = 6
  private static let largestBlock = (1 << 24) - 1

  /// - Parameters:
  ///   - metadata: the wanted metadata, with positions at the file's rate.
  ///   - family: `flac` or `ogg`.
  ///   - isCopy: whether texts about the encoder stay true.
  init(
    _ metadata: Metadata, as family: Metadata.Family, channelCount: Int, isCopy: Bool = false
  ) {
    wanted = metadata
    texts = isCopy ? metadata.tags : metadata.textsOfSound
    isFlac = family == .flac
    self.channelCount = channelCount
    pictures = RemainingPictures(metadata.pictures)
    if isFlac { for chunk in metadata.chunks where chunk.family == .flac { take(chunk) } }
    makeComments()
    if isFlac { addBlocks() } else { addPictureComments() }
  }

  /// Whether the encoder alone would write an equal file.
  var isEmpty: Bool {
    comments.comments.isEmpty && comments.furtherCount == 0
      && blocks.allSatisfy { $0.number == Self.commentNumber }
  }

  /// Whether a comment has room for the length of the sound.
  var hasRoomForLength: Bool { wanted.guano?.placeOfRoom != nil }

  private mutating func take(_ chunk: Metadata.Chunk) {
    guard let number = FlacBlocks.number(chunk.identifier) else { return }
    switch number {
    case Self.commentNumber:
      if !hasComments { blocks.append((number, [])) }
      hasComments = true
      return
    case Self.pictureNumber:
      if let picture = Metadata.Picture(block: chunk.content), !pictures.take(picture) {
        return
      }
    case Self.cueSheetNumber:
      if wanted.cueSheet == nil || Metadata.CueSheet(block: chunk.content) != wanted.cueSheet {
        return
      }
    default: break
    }
    add(number, chunk.content)
  }

  private mutating func add(_ number: UInt8, _ content: [UInt8]) {
    guard content.count <= Self.largestBlock else {
      omissions.append("\(FlacBlocks.name(number)) block", because: "it is larger than 16 MiB")
      return
    }
    blocks.append((number, content))
  }

  /// Adds the metadata that no block contains yet.
  private mutating func addBlocks() {
    if !hasComments {
      blocks.insert((Self.commentNumber, []), at: 0)
    }
    if let sheet = wanted.cueSheet, !blocks.contains(where: { $0.number == Self.cueSheetNumber }) {
      add(Self.cueSheetNumber, sheet.block)
    }
    for picture in pictures.rest { add(Self.pictureNumber, picture.block) }
    let size = comments.bytes.count
    if size > Self.largestBlock - 1_024 {
      omissions.append("tags", because: "all together are larger than 16 MiB")
      comments = VorbisComments()
    }
  }

  private mutating func addPictureComments() {
    let key = Array("\(VorbisComments.pictureKey)=".utf8)
    for picture in pictures.rest {
      comments.comments.append((key + Base64.encoded(picture.block))[...])
    }
  }

  /// Makes the comments of chapters, as the old file has none of them.
  private mutating func addChapters(_ chapters: [Chapter]) {
    let added = ChapterComments.comments(chapters)
    comments.comments += added
    let most = ChapterComments.most - 1
    if chapters.count > most {
      omissions.append(
        "\(chapters.count - most) marks", because: "comments number up to \(most) chapters")
    }
    if chapters.contains(where: { $0.end != nil }) {
      omissions.append(
        "lengths of marks", because: "a chapter in comments ends where the next one begins")
    }
  }

  /// Makes the comments. Old comments of the file's kin keep their spelling.
  private mutating func makeComments() {
    let old = wanted.chunks.lazy.filter { $0.family == .flac || $0.family == .ogg }
      .filter { $0.identifier == VorbisComments.identifier }
      .compactMap { VorbisComments($0.content) }.first
    var reading = MetadataReading()
    let incomplete = old?.interpret(into: &reading) ?? []
    let said = reading.metadata
    let kept = old?.comments ?? []
    let chapters = wanted.chapters
    let areChaptersSame = chapters == reading.chapters
    let places = old?.chapters { StoredText.decoded($0) }.places ?? []
    // Texts of the old encoder are dropped on purpose: they make no difference.
    let saidTexts = said.tags.entries.filter { tag in
      texts.firstPlace(of: tag.key) != nil || wanted.tags.firstPlace(of: tag.key) == nil
    }
    if saidTexts == texts.entries {
      // Keep the order, with empty comments and unknown ones.
      for (index, comment) in kept.enumerated()
      where places.contains(index)
        ? areChaptersSame : incomplete.contains(index) || isWanted(comment, said)
      {
        comments.comments.append(comment)
      }
      comments.furtherBytes = old?.furtherBytes ?? []
      comments.furtherCount = old?.furtherCount ?? 0
    } else {
      addTexts(spelledAs: kept)
      for (index, comment) in kept.enumerated()
      where places.contains(index)
        ? areChaptersSame
        : !incomplete.contains(index) && isNoText(comment) && isWanted(comment, said)
      {
        comments.comments.append(comment)
      }
      omissions += wanted.omissionsHeld(by: isFlac ? .flac : .ogg, [.texts, .pictures])
    }
    if !areChaptersSame { addChapters(chapters) }
    addLayout(said.channelLayout)
  }

  /// Whether it states no tag: it has no name, is empty, or holds a picture or a channel layout.
  private func isNoText(_ comment: ArraySlice<UInt8>) -> Bool {
    guard let (key, value) = VorbisComments.parts(comment) else { return true }
    return value.isEmpty || key == VorbisComments.pictureKey || key == VorbisComments.layoutKey
  }

  /// Whether a comment of the old file is kept in the new one.
  private mutating func isWanted(_ comment: ArraySlice<UInt8>, _ said: Metadata) -> Bool {
    guard let (key, value) = VorbisComments.parts(comment) else { return true }
    switch key {
    case VorbisComments.pictureKey:
      guard let picture = Base64.decoded(value).flatMap({ Metadata.Picture(block: $0) }) else {
        return true
      }
      // FLAC stores it as a block.
      return !isFlac && pictures.take(picture)
    case VorbisComments.layoutKey:
      return said.channelLayout == wanted.channelLayout && said.channelLayout != nil
    default:
      return value.isEmpty || texts.firstPlace(of: key) != nil
    }
  }

  /// Adds the texts in order, with the old file's spelling of their names.
  private mutating func addTexts(spelledAs old: [ArraySlice<UInt8>]) {
    var names: [String: ArraySlice<UInt8>] = [:]
    for comment in old {
      guard let (key, value) = VorbisComments.parts(comment), names[key] == nil else { continue }
      names[key] = comment[..<value.startIndex]
    }
    for text in texts.entries {
      let name = names[text.key] ?? Array("\(text.key)=".utf8)[...]
      comments.comments.append(name + text.value.utf8)
    }
  }

  /// Adds the channel layout if FLAC does not assume it. Ogg's codecs have layouts of their own.
  private mutating func addLayout(_ said: Metadata.ChannelLayout?) {
    guard isFlac, let layout = wanted.channelLayout, layout != said else { return }
    let mask: UInt32
    switch layout {
    case .speakers(let speakers): mask = speakers
    case .discrete: mask = 0
    case .ambisonic:
      omissions.append("channel layout", because: "FLAC has no word for B-format")
      return
    }
    guard mask != Metadata.ChannelLayout.usualSpeakers(channelCount) else { return }
    let value = String(mask, radix: 16, uppercase: true)
    comments.comments.append(Array("\(VorbisComments.layoutKey)=0x\(value)".utf8)[...])
  }

  /// The blocks behind STREAMINFO.
  ///
  /// - Parameter vendor: the encoder of the frames.
  func bytes(vendor: ArraySlice<UInt8>) -> [UInt8] {
    var comments = comments
    comments.vendor = vendor
    var bytes: [UInt8] = []
    for (index, block) in blocks.enumerated() {
      let content = block.number == Self.commentNumber ? comments.bytes : block.content
      bytes.append(block.number | (index == blocks.count - 1 ? 0x80 : 0), 1, .big)
      bytes.append(content.count, 3, .big)
      bytes += content
    }
    return bytes
  }
}
