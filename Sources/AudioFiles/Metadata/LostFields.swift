// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// What is lost in a file that has no place for a field.
  ///
  /// - Parameter container: what users call it.
  func omissions(of field: Field, in container: String) -> [Omission] {
    func lost(_ name: String) -> [Omission] {
      [Omission(name, because: "\(container) has no place for it")]
    }
    func count(_ count: Int, _ name: String) -> [Omission] {
      count == 0 ? [] : lost(count == 1 ? name : "\(count) \(name)s")
    }
    switch field {
    case .texts:
      // Who wrote the old file is no news of the new one.
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

  /// Whether the channels are others than one takes them for by their number.
  private var hasUnusualLayout: Bool {
    switch channelLayout {
    case nil, .discrete: false
    case .ambisonic: true
    case .speakers(let mask):
      mask != Metadata.ChannelLayout.usualSpeakers(mask.nonzeroBitCount)
    }
  }

  /// With the origin as texts, for files that have no other place for it; the names are those of ffmpeg.
  var withOriginAsTexts: Metadata {
    guard let broadcast else { return self }
    var other = self
    other.broadcast = nil
    var texts = Tags()
    texts.append("DESCRIPTION", broadcast.description)
    texts.append("ENCODED-BY", broadcast.originator)
    texts.append("ORIGINATOR_REFERENCE", broadcast.originatorReference)
    // A date of the work is not that of its recording.
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
  /// Its lines, without empty ones.
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
  /// The first ones, where they are many.
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
