// SPDX-License-Identifier: Apache-2.0
/// Cue points, and what a `LIST` of type `adtl` says of them.
struct CueList {
  private var points: [(identifier: UInt32, position: Int64)] = []
  private var labels: [UInt32: String] = [:]
  private var notes: [UInt32: String] = [:]
  private var parts: [UInt32: (length: Int64, purpose: String, text: String)] = [:]

  /// A `cue ` chunk. A file with one `data` chunk has its positions in two fields; the second counts.
  mutating func addPoints(_ chunk: [UInt8], _ order: ByteOrder) {
    var reader = ByteReader(chunk)
    guard let count = reader.integer(4, order) else { return }
    for _ in 0..<min(count, UInt64(Metadata.mostChunks)) {
      guard let point = reader.bytes(24) else { return }
      let offset = point.integer(at: 20, 4, order)
      points.append((UInt32(point.integer(at: 0, 4, order)), Int64(offset)))
    }
  }

  mutating func addLabels(_ list: [UInt8], _ order: ByteOrder) {
    for (name, content) in ChunkCollection.sublist(list, from: 4, order) {
      var reader = ByteReader(content)
      guard let number = reader.integer(4, order) else { continue }
      let identifier = UInt32(number)
      switch name {
      case "labl": labels[identifier] = StoredText.decoded(fixed: reader.rest())
      case "note": notes[identifier] = StoredText.decoded(fixed: reader.rest())
      case "ltxt":
        // Country, language, dialect and code page come between.
        guard let length = reader.integer(4, order), let purpose = reader.bytes(4),
          reader.bytes(8) != nil
        else { continue }
        parts[identifier] = (
          Int64(length), ChunkCollection.name(purpose) ?? "",
          StoredText.decoded(fixed: reader.rest())
        )
      default: break
      }
    }
  }

  /// In the order of the points.
  var markers: [Metadata.Marker] {
    points.map { point in
      var marker = Metadata.Marker(
        identifier: point.identifier, position: point.position,
        label: labels[point.identifier] ?? "")
      marker.note = notes[point.identifier] ?? ""
      if let part = parts[point.identifier] {
        marker.length = part.length
        marker.purpose = part.purpose
        marker.text = part.text
      }
      return marker
    }
  }

  /// Both chunks that say this; no list where nothing has a name.
  ///
  /// - Parameter namesAll: whether an empty name is one, too.
  static func chunks(
    _ markers: [Metadata.Marker], _ order: ByteOrder, namesAll: Bool = false
  ) -> (points: [UInt8], labels: [UInt8]?) {
    var points: [UInt8] = []
    points.append(markers.count, 4, order)
    var labels = Array("adtl".utf8)
    func append(_ name: String, _ fields: [UInt8], _ text: String) {
      let content = fields + Array(text.utf8) + [0]
      labels += name.utf8
      labels.append(content.count, 4, order)
      labels += content
      if content.count & 1 == 1 { labels.append(0) }
    }
    for marker in markers {
      let position = UInt32(clamping: marker.position)
      points.append(marker.identifier, 4, order)
      points.append(position, 4, order)
      points += "data".utf8
      // Chunk and block start: 0 where there is one data chunk of PCM samples.
      points += [UInt8](repeating: 0, count: 8)
      points.append(position, 4, order)
      var fields: [UInt8] = []
      fields.append(marker.identifier, 4, order)
      if namesAll || !marker.label.isEmpty { append("labl", fields, marker.label) }
      if !marker.note.isEmpty { append("note", fields, marker.note) }
      guard marker.length > 0 || !marker.purpose.isEmpty || !marker.text.isEmpty else { continue }
      fields.append(UInt32(clamping: marker.length), 4, order)
      let purpose = marker.purpose.isEmpty ? "rgn " : marker.purpose
      fields += Array(purpose.utf8.prefix(4)) + [UInt8](repeating: 0, count: 8)
      append("ltxt", fields, marker.text)
    }
    return (points, labels.count > 4 ? labels : nil)
  }
}
