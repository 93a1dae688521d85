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
      return keys.isEmpty ? [] : lost("\(keys.count == 1 ? "tag" : "tags") \(keys.joinedAsWords)")
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
    texts.append("DESCRIPTION", broadcast.description)
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

extension [String] {
  /// The first six, with the number of further ones.
  fileprivate var joinedAsWords: String {
    let most = 6
    let rest = count > most ? " and \(count - most) more" : ""
    return prefix(most).joined(separator: ", ") + rest
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
