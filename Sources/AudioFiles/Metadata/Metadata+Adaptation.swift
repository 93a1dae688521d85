// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// Adapts the metadata to samples of another shape. Positions change to the new rate. Layouts of other channel counts
  /// and measurements of changed samples are dropped.
  func adapted(to format: StreamFormat, _ encoding: SampleEncoding) -> Metadata {
    var other = converted(to: format.sampleRate)
    if let channelCount, channelCount != format.channelCount {
      other.channelLayout = nil
      other.channelCount = format.channelCount
      other.moveChannels(to: [], of: channelCount)
      other = other.withoutMeasurements
    }
    if other.isConverted {
      other.broadcast?.loudness = nil
      other.dropDigests()
    }
    let isEncodedAnew = self.encoding != nil && self.encoding != encoding
    if isEncodedAnew { other.dropDigests() }
    if isEncodedAnew || other.isConverted || other.channelCount != channelCount {
      other.dropForeignHeaders(because: "it is of a file of another format")
      other.restate(format, encoding)
    }
    return other
  }

  /// The texts for re-encoded samples: without those that pieces state of the old encoder.
  var textsOfSound: Tags {
    let keys = Self.ofEncoder.filter { !tags[$0].isEmpty }
    guard !keys.isEmpty else { return tags }
    var texts = tags
    let stated = Metadata(interpreting: chunks).tags
    let old = keys.filter { tags[$0] == stated[$0] }
    texts.removeAll(where: old.contains)
    return texts
  }
}

/// Corrects the pieces of all containers with a metadata reader here.
enum FilePieces: PieceEditing {
  static func trim(_ metadata: inout Metadata, from start: Int64, length: Int64) {
    metadata.moveTimers(start, length)
    let rate = metadata.sampleRate ?? 0
    var isLost = false
    metadata.changeGuano { if !$0.move(to: start, at: rate) { isLost = true } }
    if isLost {
      metadata.omissions.append("time of GUANO", because: "it is not written as in ISO 8601")
    }
    metadata.changeTimeReference {
      start < 0 ? $0 - min($0, start.magnitude) : $0 &+ UInt64(start)
    }
  }

  static func convert(_ metadata: inout Metadata, from oldRate: Int, to newRate: Int) {
    metadata.scaleTimers(from: oldRate, to: newRate)
    metadata.changeGuano { $0.convert(from: oldRate, to: newRate) }
    metadata.changeTimeReference {
      UInt64(clamping: AudioTime.nearest(Int64(clamping: $0), from: oldRate, to: newRate))
    }
  }

  static func moveChannels(_ metadata: inout Metadata, to origins: [[Int]], of count: Int) {
    metadata.moveChannels(to: origins, of: count)
  }

  static func dropTimes(_ metadata: inout Metadata) {
    metadata.dropForeignHeaders(because: "it is of a file of another length")
    metadata.changeGuano { $0.forgetLength() }
    for index in metadata.chunks.indices {
      metadata.chunks[index] = metadata.withoutTimes(metadata.chunks[index])
    }
  }
}

extension Metadata {
  /// Drops FLAC's record of its original file, which states that file's length and sample format.
  ///
  /// - Parameter reason: in lower case and without a full stop.
  mutating func dropForeignHeaders(because reason: String) {
    func isForeign(_ chunk: Chunk) -> Bool {
      chunk.family == .flac && chunk.identifier == FlacBlocks.application
        && ["riff", "aiff", "w64 "].contains { chunk.content.has($0, at: 0) }
    }
    for chunk in chunks where isForeign(chunk) {
      omissions.append("'\(chunk.identifier)' block", because: reason)
    }
    chunks.removeAll(where: isForeign)
  }

  /// Frames of texts and events with times.
  private static let timedFrames: Set = ["SYLT", "ETCO", "SYTC"]

  fileprivate mutating func withoutTimes(_ chunk: Chunk) -> Chunk {
    guard chunk.isID3, let tag = ID3Tag(chunk.content) else { return chunk }
    let timed = tag.frames.filter { Self.timedFrames.contains($0.identifier) }
    guard !timed.isEmpty else { return chunk }
    for name in Self.timedFrames.sorted() {
      let count = timed.count { $0.identifier == name }
      guard count > 0 else { continue }
      omissions.append(
        count == 1
          ? .init("'\(name)' frame", because: "its positions are others now")
          : .init("\(count) '\(name)' frames", because: "their positions are others now"))
    }
    var chunk = chunk
    let others = tag.frames.filter { !Self.timedFrames.contains($0.identifier) && !$0.isOpaque }
    chunk.content = ID3Tag.bytes(others.map { $0.renewed(from: tag.version) })
    return chunk
  }
}
