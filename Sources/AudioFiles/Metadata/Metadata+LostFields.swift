// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// The loss of a field in a file without a place for it.
  ///
  /// - Parameter container: the name for users.
  func omissions(of field: Field, in container: String) -> [Omission] {
    func lost(_ name: String) -> [Omission] {
      [Omission(name, because: "\(container) has no place for it")]
    }
    func count(_ count: Int, _ name: String) -> [Omission] {
      count == 0 ? [] : lost(count == 1 ? name : "\(count) \(name)s")
    }
    switch field {
    case .texts:
      // The encoder of the old file does not describe the new one.
      let keys = tags.keys.filter { $0 != "ENCODER" }
      return keys.isEmpty ? [] : lost("\(keys.count == 1 ? "tag" : "tags") \(keys.namedShortly)")
    case .origin: return broadcast == nil ? [] : lost("origin ('bext' chunk)")
    case .marks: return count(markers.count, "mark")
    case .sampler: return instrument == nil ? [] : lost("sampler's settings")
    case .pictures: return count(pictures.count, "picture")
    case .tracks: return cueSheet == nil ? [] : lost("cue sheet")
    case .layout: return hasUnusualLayout ? lost("places of the channels") : []
    }
  }

  /// Whether the layout differs from the usual one for the number of channels.
  private var hasUnusualLayout: Bool {
    switch channelLayout {
    case nil, .discrete: false
    case .ambisonic: true
    case .speakers(let mask):
      mask != Metadata.ChannelLayout.usualSpeakers(mask.nonzeroBitCount)
    }
  }

  /// With the origin as texts, for files without another place for it; the names are those of ffmpeg.
  var withOriginAsTexts: Metadata {
    guard let broadcast else { return self }
    var other = self
    other.broadcast = nil
    var texts = Tags()
    // GUANO states the zone.
    let zone = broadcast.offset.map { BroadcastExtension.zoneText($0) }
    if guano == nil || broadcast.description != zone {
      texts.append("DESCRIPTION", broadcast.description)
    }
    texts.append("ENCODED-BY", broadcast.originator)
    texts.append("ORIGINATOR_REFERENCE", broadcast.originatorReference)
    // The date of a work may differ from the date of its recording.
    let isOther = tags["DATE"].contains { !$0.hasPrefix(broadcast.originationDate) }
    texts.append(isOther ? "ORIGINATION_DATE" : "DATE", broadcast.originationDate)
    texts.append("ORIGINATION_TIME", broadcast.originationTime)
    if broadcast.timeReference > 0 {
      texts.append("TIME_REFERENCE", "\(broadcast.timeReference)")
    }
    texts.append("UMID", broadcast.materialIdentifier.hexadecimal)
    texts.append("CODING_HISTORY", broadcast.codingHistory.withPlainLineBreaks)
    other.tags.fill(from: texts)
    return other
  }
}

extension Metadata {
  /// With the origin in its own field, from the texts that stand for it in files without a place for it.
  var withOriginFromTexts: Metadata {
    guard broadcast == nil, var origin = originInTexts else { return self }
    var other = self
    if let zone = guano?.time?.offset, origin.description.isEmpty {
      origin.description = BroadcastExtension.zoneText(zone)
    }
    origin.originator = tags["ENCODED-BY"].first ?? ""
    origin.originatorReference = tags["ORIGINATOR_REFERENCE"].first ?? ""
    if let history = tags["CODING_HISTORY"].first {
      for line in history.split(whereSeparator: \.isNewline) { origin.add(toHistory: String(line)) }
    }
    other.broadcast = origin
    let moved: Set = [
      "ORIGINATION_DATE", "ORIGINATION_TIME", "TIME_REFERENCE", "ORIGINATOR_REFERENCE",
      "CODING_HISTORY",
    ]
    other.tags.removeAll(where: moved.contains)
    return other
  }
}

extension String {
  /// The lines of the text, without empty ones.
  fileprivate var withPlainLineBreaks: String {
    var isBehindLine = false
    return reduce(into: "") { text, character in
      if !character.isNewline {
        if isBehindLine, !text.isEmpty { text.append("\n") }
        text.append(character)
      }
      isBehindLine = character.isNewline
    }
  }
}

extension [UInt8] {
  /// Two upper-case digits a byte.
  fileprivate var hexadecimal: String {
    reduce(into: "") { text, byte in
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}

extension Metadata {
  /// Removes zero bytes for files in which one ends a text. A tag is split into two texts of one name. In other texts
  /// the zero byte becomes a space. The changes are counted in an omission.
  ///
  /// - Parameter container: the name for users.
  func withoutZeroBytes(in container: String) -> Metadata {
    var other = self
    var count = 0
    func spaced(_ text: inout String) {
      guard text.utf8.contains(0) else { return }
      count += 1
      text = text.split(separator: "\0").joined(separator: " ")
    }
    if tags.entries.contains(where: { $0.value.utf8.contains(0) }) {
      var texts = Tags()
      for tag in tags.entries {
        let parts = tag.value.split(separator: "\0")
        if tag.value.utf8.contains(0) { count += 1 }
        for part in parts { texts.append(tag.key, String(part)) }
      }
      other.tags = texts
    }
    for index in markers.indices where markers[index].hasZeroBytes {
      spaced(&other.markers[index].label)
      spaced(&other.markers[index].note)
      spaced(&other.markers[index].text)
    }
    for index in pictures.indices where pictures[index].hasZeroBytes {
      spaced(&other.pictures[index].mediaType)
      spaced(&other.pictures[index].description)
    }
    if count > 0 {
      other.omissions.append(
        count == 1 ? "zero byte in a text" : "zero bytes in \(count) texts",
        because: "in \(container) one ends a text")
    }
    return other
  }
}

extension Metadata.Marker {
  fileprivate var hasZeroBytes: Bool { [label, note, text].contains { $0.utf8.contains(0) } }
}

extension Metadata.Picture {
  fileprivate var hasZeroBytes: Bool { [mediaType, description].contains { $0.utf8.contains(0) } }
}
