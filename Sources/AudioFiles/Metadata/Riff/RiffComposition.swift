// SPDX-License-Identifier: Apache-2.0
/// The chunks for a file of RIFF's kin. Old chunks that are still correct are kept byte for byte. Others are rewritten
/// in place, and new ones are added.
struct RiffComposition {
  private(set) var chunks: [Metadata.Chunk] = []
  private(set) var omissions: [Metadata.Omission] = []
  /// Marks to write behind the samples, if they lie within the file.
  private(set) var pendingMarkers: [Metadata.Marker] = []

  private let family: Metadata.Family
  private let order: ByteOrder
  private let wanted: Metadata
  /// The metadata in the file's own chunks.
  private let stated: Metadata
  private let sampleRate: Int
  /// Whether the file is a part of unknown length, so that marks may lie behind its end.
  private let isPart: Bool
  private var newTexts: Metadata.Tags
  /// The names of texts that differ from the file's own chunks.
  private let changed: Set<String>
  private let areMarksSame: Bool
  private let arePicturesSame: Bool
  /// The instrument to write. A part has no loops: they could end behind its last sample.
  private let instrument: Metadata.Instrument?
  private let isSamplerSame: Bool
  /// The fields of chunks that are not kept from the old file.
  private var rewritten: Set<Metadata.Field> = []
  /// The names of texts in rewritten lists.
  private var saidAnew: Set<String> = []
  private var hasMarks = false
  private var hasSampler = false
  private var hasNotes = false
  private var hasTag = false
  /// The names of texts that need a tag because `INFO` has no name for them.
  private let textsOfTag: [String]

  /// - Parameters:
  ///   - metadata: the wanted metadata, with positions at `sampleRate`.
  ///   - family: `riff`, `rifx` or `wave64`.
  ///   - isPart: whether the file is one of several into which a stream is split.
  init(_ metadata: Metadata, as family: Metadata.Family, sampleRate: Int, isPart: Bool = false) {
    self.family = family
    order = family.riffOrder ?? .little
    wanted = metadata
    self.sampleRate = sampleRate
    self.isPart = isPart
    let own = metadata.chunks.filter { $0.family.isRelated(to: family) }
    stated = Metadata(interpreting: own, sampleRate: metadata.sampleRate)
    changed = metadata.tags.keys(differingFrom: stated.tags)
    areMarksSame = metadata.markers == stated.markers
    arePicturesSame = metadata.pictures == stated.pictures
    instrument = isPart ? metadata.instrument?.withoutLoops : metadata.instrument
    isSamplerSame = instrument == stated.instrument && !metadata.isConverted
    newTexts = Metadata.Tags()
    for tag in metadata.tags where stated.tags.firstPlace(of: tag.key) == nil {
      newTexts.append(tag.key, tag.value)
    }
    let kept = newTexts.isEmpty ? Self.keysOfLists(own, order, without: changed) : []
    textsOfTag = metadata.textsOfSound.keys.filter {
      RiffMetadata.name($0) == nil && !kept.contains($0)
    }
    if !areMarksSame || isPart { rewritten.insert(.marks) }
    if instrument?.loops != stated.instrument?.loops { rewritten.insert(.sampler) }
    if metadata.broadcast == nil { rewritten.insert(.origin) }
    for chunk in own { take(chunk) }
    addOthers()
    omissions += metadata.omissionsHeld(by: family, rewritten)
  }

  /// The keys of lists that are kept unchanged. They include the total of tracks, which has no name in `INFO`.
  private static func keysOfLists(
    _ own: [Metadata.Chunk], _ order: ByteOrder, without changed: Set<String>
  ) -> Set<String> {
    own.reduce(into: []) { keys, chunk in
      guard chunk.identifier == "LIST", chunk.content.has("INFO", at: 0) else { return }
      let said = RiffMetadata.tags(chunk.content, order).keys
      if changed.isDisjoint(with: said) { keys.formUnion(said) }
    }
  }

  private mutating func add(_ identifier: String, _ content: [UInt8], isInFront: Bool) {
    chunks.append(.init(family, identifier, content, isInFront: isInFront))
  }

  private mutating func take(_ chunk: Metadata.Chunk) {
    let (content, isInFront) = (chunk.content, chunk.isInFront)
    switch chunk.identifier {
    case let name where RiffChunks.ofSamples.contains(name) || name.utf8.count != 4: break
    case "LIST" where content.has("INFO", at: 0): takeTexts(chunk)
    case "LIST" where content.has("adtl", at: 0): takeMarks(chunk)
    case "cue ": takeMarks(chunk)
    case "bext" where Metadata.BroadcastExtension(content, order) == stated.broadcast:
      guard let broadcast = wanted.broadcast else { break }
      add("bext", broadcast.chunk(order, over: content), isInFront: isInFront)
    case "smpl":
      guard let instrument else { break }
      if isSamplerSame {
        add("smpl", content, isInFront: isInFront)
      } else if !hasSampler {
        let anew = SamplerChunk.chunk(instrument, order, sampleRate: sampleRate, over: content)
        add("smpl", anew, isInFront: isInFront)
      }
      hasSampler = true
    case "inst":
      guard let instrument else { break }
      hasNotes = true
      let isSame = isSamplerSame || instrument.withoutLoops == stated.instrument?.withoutLoops
      add("inst", isSame ? content : InstrumentChunk.chunk(instrument), isInFront: isInFront)
    case "id3 ", "ID3 ": takeTag(chunk)
    default: add(chunk.identifier, content, isInFront: isInFront)
    }
  }

  /// Keeps a tag that is still correct, and otherwise puts a new one in its place.
  private mutating func takeTag(_ chunk: Metadata.Chunk) {
    let said = Metadata(interpreting: [chunk])
    let isSame =
      changed.isDisjoint(with: said.tags.keys)
      && textsOfTag.allSatisfy { said.tags.firstPlace(of: $0) != nil } && arePicturesSame
    if isSame {
      hasTag = true
      add(chunk.identifier, chunk.content, isInFront: chunk.isInFront)
      return
    }
    rewritten.formUnion([.texts, .pictures])
    if !hasTag { addTag(chunk.identifier, isInFront: chunk.isInFront) }
  }

  private mutating func addTag(_ identifier: String, isInFront: Bool) {
    hasTag = true
    let tag = ID3Composition.chunk(wanted)
    omissions += tag.omissions
    if !tag.front.isEmpty { add(identifier, tag.front, isInFront: isInFront) }
  }

  /// Keeps or rewrites a list. The first rewritten list takes all new texts.
  private mutating func takeTexts(_ chunk: Metadata.Chunk) {
    let said = RiffMetadata.tags(chunk.content, order)
    if changed.isDisjoint(with: said.keys), newTexts.isEmpty {
      add("LIST", chunk.content, isInFront: chunk.isInFront)
      return
    }
    rewritten.insert(.texts)
    var texts = Metadata.Tags()
    for key in said.keys where saidAnew.insert(key).inserted {
      for value in wanted.tags[key] { texts.append(key, value) }
    }
    texts.fill(from: newTexts)
    newTexts = Metadata.Tags()
    addTexts(texts, isInFront: chunk.isInFront)
  }

  private mutating func addTexts(_ texts: Metadata.Tags, isInFront: Bool) {
    let content = RiffMetadata.list(of: texts, order)
    if content.count > 4 { add("LIST", content, isInFront: isInFront) }
  }

  private mutating func takeMarks(_ chunk: Metadata.Chunk) {
    if isPart, !wanted.markers.isEmpty { return }
    if areMarksSame {
      hasMarks = true
      add(chunk.identifier, chunk.content, isInFront: chunk.isInFront)
    } else if !hasMarks {
      addMarks(isInFront: chunk.isInFront)
    }
  }

  private mutating func addMarks(isInFront: Bool) {
    hasMarks = true
    let markers = wanted.markers.filter { $0.position <= Int64(UInt32.max) }
    if markers.count < wanted.markers.count {
      omissions.append("marks behind sample \(UInt32.max)", because: "WAV counts them in 32 bits")
    }
    guard !markers.isEmpty else { return }
    let (points, labels) = CueList.chunks(markers, order)
    add("cue ", points, isInFront: isInFront)
    if let labels { add("LIST", labels, isInFront: isInFront) }
  }

  /// Adds the metadata that no chunk contains yet.
  private mutating func addOthers() {
    if let broadcast = wanted.broadcast, stated.broadcast == nil {
      chunks.insert(.init(family, "bext", broadcast.chunk(order), isInFront: true), at: 0)
    }
    if !newTexts.isEmpty { addTexts(newTexts, isInFront: true) }
    if isPart {
      pendingMarkers = wanted.markers
    } else if !hasMarks, !wanted.markers.isEmpty {
      addMarks(isInFront: false)
    }
    if isPart, wanted.instrument?.loops.isEmpty == false {
      omissions.append("loops", because: "a part may end before they do")
    }
    if let instrument {
      let isNew = stated.instrument == nil
      if !hasSampler, isNew || !instrument.loops.isEmpty {
        add(
          "smpl", SamplerChunk.chunk(instrument, order, sampleRate: sampleRate), isInFront: false)
      }
      if !hasNotes, isNew { add("inst", InstrumentChunk.chunk(instrument), isInFront: false) }
    }
    let needsTag =
      !textsOfTag.isEmpty || !wanted.pictures.isEmpty
      || !ID3Metadata.unsaid(wanted.chunks).isEmpty
    if needsTag, !hasTag { addTag("id3 ", isInFront: false) }
  }
}

extension Metadata.Instrument {
  var withoutLoops: Metadata.Instrument {
    var other = self
    other.loops = []
    return other
  }
}

extension [Metadata.Chunk] {
  /// The chunks as stored in RIFF, RIFX and AIFF files.
  func bytes(_ order: ByteOrder) -> [UInt8] {
    reduce(into: []) { $0.append(chunk: $1.identifier, $1.content, order) }
  }
}
