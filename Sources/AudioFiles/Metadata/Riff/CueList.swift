// SPDX-License-Identifier: Apache-2.0
/// Cue points, and their texts in a `LIST` of type `adtl`.
struct CueList {
  private var points: [(identifier: UInt32, position: Int64)] = []
  /// The texts of each point, as stored.
  private var notes: [UInt32: CueNotes] = [:]

  private struct CueNotes {
    var label: ArraySlice<UInt8> = []
    var note: ArraySlice<UInt8> = []
    var part: (length: Int64, purpose: String, text: ArraySlice<UInt8>)?
  }

  /// Adds a `cue ` chunk. A file with one `data` chunk has two fields for positions; the second counts.
  mutating func addPoints(_ chunk: [UInt8], _ order: ByteOrder, _ reading: inout MetadataReading) {
    var reader = ByteReader(chunk)
    guard let stated = reader.integer(4, order) else { return }
    let count = min(Int(stated), reader.remaining / 24)
    for index in 0..<count {
      guard points.count < MetadataReading.mostEntries, let point = reader.bytes(24) else {
        reading.leaveOut(.marks, count - index)
        break
      }
      let identifier = UInt32(point.integer(at: 0, 4, order))
      points.append((identifier, Int64(point.integer(at: 20, 4, order))))
      notes[identifier] = CueNotes()
    }
  }

  /// Adds texts after all points are known: texts of unknown points are ignored.
  mutating func addLabels(_ list: [UInt8], _ order: ByteOrder) {
    for (name, content) in Subchunks(list[4...], order) {
      var reader = ByteReader(content)
      guard let number = reader.integer(4, order) else { continue }
      let identifier = UInt32(number)
      switch name {
      case "labl": notes[identifier]?.label = reader.rest()
      case "note": notes[identifier]?.note = reader.rest()
      case "ltxt":
        // Country, language, dialect and code page follow.
        guard let length = reader.integer(4, order), let purpose = reader.bytes(4),
          reader.bytes(8) != nil
        else { continue }
        notes[identifier]?.part = (
          Int64(length), ChunkForm.name(purpose) ?? "", reader.rest()
        )
      default: break
      }
    }
  }

  /// Adds the marks in the order of the points.
  func addMarkers(to reading: inout MetadataReading) {
    func text(_ stored: ArraySlice<UInt8>) -> String {
      if StoredText.hasMore(fixed: stored) { reading.leaveOut(.ends) }
      return reading.label(stored) { StoredText.decoded(fixed: $0) } ?? ""
    }
    for point in points {
      var marker = Metadata.Marker(identifier: point.identifier, position: point.position)
      if let said = notes[point.identifier] {
        marker.label = text(said.label)
        marker.note = text(said.note)
        if let part = said.part {
          marker.length = part.length
          marker.purpose = part.purpose
          marker.text = text(part.text)
        }
      }
      reading.add(marker)
    }
  }

  /// Both chunks for the marks; no list if no mark has a text.
  ///
  /// - Parameter namesAll: whether empty names are stored, too.
  static func chunks(
    _ markers: [Metadata.Marker], _ order: ByteOrder, namesAll: Bool = false
  ) -> (points: [UInt8], labels: [UInt8]?) {
    var points: [UInt8] = []
    points.append(markers.count, 4, order)
    var labels = Array("adtl".utf8)
    func append(_ name: String, _ fields: [UInt8], _ text: String) {
      // A mark set during a recording may contain any character.
      let text = text.utf8.map { $0 == 0 ? 0x20 : $0 } + [0]
      labels.append(chunk: name, fields + text, order)
    }
    for marker in markers {
      let position = UInt32(clamping: marker.position)
      points.append(marker.identifier, 4, order)
      points.append(position, 4, order)
      points += "data".utf8
      // Chunk and block start: 0 in a file with one data chunk of PCM samples.
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
