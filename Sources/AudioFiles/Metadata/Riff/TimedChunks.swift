// SPDX-License-Identifier: Apache-2.0
/// The XML text that recorders write into an `iXML` chunk. Only numbers in elements are changed.
///
/// Source: "iXML Specification", version 3 (gallery.co.uk/ixml), objects SPEED, BEXT and SYNC_POINT_LIST. A text in
/// UTF-16 matches no element and stays unchanged.
struct IXMLText {
  private(set) var bytes: [UInt8]

  /// A decimal number; nil if the element is missing or holds anything else.
  subscript(element: String) -> UInt64? {
    get {
      guard let content = range(of: element)?.content else { return nil }
      return UInt64(String(decoding: bytes[content], as: UTF8.self))
    }
    set {
      guard let newValue, let content = range(of: element)?.content else { return }
      bytes.replaceSubrange(content, with: Array("\(newValue)".utf8))
    }
  }

  /// Changes a number stored as two of 32 bits.
  mutating func change(_ high: String, _ low: String, _ change: (UInt64) -> UInt64) {
    guard let upper = self[high], let lower = self[low], upper <= UInt32.max, lower <= UInt32.max
    else { return }
    let value = change(upper << 32 | lower)
    self[high] = value >> 32
    self[low] = value & 0xFFFF_FFFF
  }

  /// - Returns: whether the element existed.
  mutating func remove(_ element: String) -> Bool {
    guard let range = range(of: element) else { return false }
    bytes.removeSubrange(range.whole)
    return true
  }

  /// The content of the first element of that name.
  ///
  /// - Parameter range: the place of the element; nil = anywhere.
  func content(of element: String, in range: Range<Int>? = nil) -> Range<Int>? {
    self.range(of: element, in: range)?.content
  }

  /// The contents of the first elements of that name, in order.
  func contents(of element: String, in range: Range<Int>, upTo most: Int) -> [Range<Int>] {
    var contents: [Range<Int>] = []
    var rest = range
    while contents.count < most, let found = self.range(of: element, in: rest) {
      contents.append(found.content)
      rest = found.whole.upperBound..<rest.upperBound
    }
    return contents
  }

  /// Replaces an element, or adds it at the end of another one.
  mutating func put(_ text: String, inPlaceOf element: String, within outer: String) {
    if let old = range(of: element) {
      bytes.replaceSubrange(old.whole, with: text.utf8)
    } else if let content = range(of: outer)?.content {
      bytes.replaceSubrange(content.upperBound..<content.upperBound, with: text.utf8)
    }
  }

  /// The first element of that name, with and without its markup.
  private func range(
    of element: String, in place: Range<Int>? = nil
  ) -> (whole: Range<Int>, content: Range<Int>)? {
    let opening = "<\(element)>"
    let closing = "</\(element)>"
    let place = place ?? bytes.indices
    guard let start = first(opening, in: place) else { return nil }
    let content = start + opening.utf8.count
    guard content <= place.upperBound, let end = first(closing, in: content..<place.upperBound)
    else { return nil }
    return (start..<end + closing.utf8.count, content..<end)
  }

  private func first(_ markup: String, in place: Range<Int>) -> Int? {
    // A chunk has up to 16 MiB: the comparison of one byte spares those of a text.
    place.first { bytes[$0] == UInt8(ascii: "<") && bytes.has(markup, at: $0) }
  }
}

/// The moments in a `cart` chunk of radio stations, such as the end of a song's intro or the earliest start of the next
/// one.
///
/// Source: AES46-2002, section 5.2: eight entries of a name and a number of samples from the beginning.
enum CartTimers {
  private static let start = 684
  private static let count = 8

  /// The chunk with changed moments. An entry becomes empty if its moment is gone.
  static func changed(
    _ chunk: [UInt8], _ order: ByteOrder, _ change: (Int64) -> Int64?
  ) -> [UInt8] {
    guard chunk.count >= start + 8 * count else { return chunk }
    var bytes = chunk
    for entry in stride(from: start, to: start + 8 * count, by: 8)
    where bytes[entry..<entry + 4].contains(where: { $0 != 0 }) {
      let moment = Int64(bytes.integer(at: entry + 4, 4, order))
      if let changed = change(moment), let stored = UInt32(exactly: changed) {
        var new: [UInt8] = []
        new.append(stored, 4, order)
        bytes.replaceSubrange(entry + 4..<entry + 8, with: new)
      } else {
        bytes.replaceSubrange(entry..<entry + 8, with: [UInt8](repeating: 0, count: 8))
      }
    }
    return bytes
  }
}

extension Metadata {
  /// Adapts `iXML` and `cart` chunks to a part of the file.
  ///
  /// - Parameters:
  ///   - start: the part's beginning, in samples per channel; negative if silence stands in front.
  ///   - length: in samples per channel.
  mutating func moveTimers(_ start: Int64, _ length: Int64) {
    let rate = sampleRate.map { Int64($0) }
    changeNotes { notes in
      guard start != 0 else { return false }
      let counted = notes["TIMESTAMP_SAMPLE_RATE"].map { Int64(clamping: $0) } ?? rate
      let offset = Self.nearest(Int64(start.magnitude), from: rate, to: counted)
      func moved(_ time: UInt64, _ offset: UInt64) -> UInt64 {
        start < 0 ? time - min(time, offset) : time &+ offset
      }
      notes.change(Self.midnight.high, Self.midnight.low) { moved($0, UInt64(max(0, offset))) }
      notes.change(Self.reference.high, Self.reference.low) { moved($0, start.magnitude) }
      return notes.remove("SYNC_POINT_LIST")
    }
    changeCarts { $0 >= start && $0 - start <= length ? $0 - start : nil }
  }

  /// Converts `iXML` and `cart` chunks to another sample rate.
  mutating func scaleTimers(from old: Int, to new: Int) {
    func scaled(_ time: UInt64) -> UInt64 {
      UInt64(max(0, Self.nearest(Int64(clamping: time), from: Int64(old), to: Int64(new))))
    }
    changeNotes { notes in
      notes.change(Self.reference.high, Self.reference.low, scaled)
      if notes["TIMESTAMP_SAMPLE_RATE"] == UInt64(old) {
        notes.change(Self.midnight.high, Self.midnight.low, scaled)
        notes["TIMESTAMP_SAMPLE_RATE"] = UInt64(new)
      }
      return notes.remove("SYNC_POINT_LIST")
    }
    changeCarts { Self.nearest($0, from: Int64(old), to: Int64(new)) }
  }

  /// Sets the stored samples' rate and bits in `iXML` chunks.
  mutating func restate(_ format: StreamFormat, _ encoding: SampleEncoding) {
    changeNotes { notes in
      notes["FILE_SAMPLE_RATE"] = UInt64(format.sampleRate)
      if let size = encoding.bytesPerSample { notes["AUDIO_BIT_DEPTH"] = UInt64(8 * size) }
      return false
    }
  }

  private static let midnight = (
    high: "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", low: "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO"
  )
  private static let reference = (
    high: "BWF_TIME_REFERENCE_HIGH", low: "BWF_TIME_REFERENCE_LOW"
  )

  private static func nearest(_ time: Int64, from old: Int64?, to new: Int64?) -> Int64 {
    guard let old, let new, old != new, old > 0 else { return time }
    // 128 bits do not overflow: a chunk may state any rate.
    let doubled = Int128(time) * (2 * Int128(new)) + Int128(old)
    return Int64(clamping: doubled / (2 * Int128(old)))
  }

  /// - Parameter change: returns whether sync points were removed.
  private mutating func changeNotes(_ change: (inout IXMLText) -> Bool) {
    for index in chunks.indices
    where chunks[index].family.riffOrder != nil && chunks[index].identifier == "iXML" {
      var notes = IXMLText(bytes: chunks[index].content)
      if change(&notes) {
        omissions.append(
          "sync points in the 'iXML' chunk", because: "their positions are others now")
      }
      chunks[index].content = notes.bytes
    }
  }

  private mutating func changeCarts(_ change: (Int64) -> Int64?) {
    for index in chunks.indices where chunks[index].identifier == "cart" {
      guard let order = chunks[index].family.riffOrder else { continue }
      chunks[index].content = CartTimers.changed(chunks[index].content, order, change)
    }
  }
}

extension Metadata.Family {
  /// The byte order in chunks of RIFF's kin; nil for other families.
  var riffOrder: ByteOrder? {
    switch self {
    case .riff, .wave64: .little
    case .rifx: .big
    default: nil
    }
  }
}
