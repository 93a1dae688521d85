// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The rows of a table and its wrong ones, each in about as many bytes as its line: a million rows in memory as
/// ``TableRow``s would take a gigabyte. A row is made again each time it is asked for.
struct PackedEntries: Sendable {
  /// Bytes of many entries each, so that none is copied while the table grows.
  private var blocks: [[UInt8]] = []
  /// The block of each entry, in the upper half, and its place there.
  private var places: [UInt64] = []
  /// The keys of the texts, which most rows share.
  private(set) var keys: [String] = []
  private var numbers: [String: Int] = [:]

  private static let blockSize = 1 << 18

  mutating func append(_ entry: TableContent.Entry) {
    var bytes: [UInt8] = []
    switch entry {
    case .fault(let line, let text, let reason):
      bytes.append(number: line * 2 + 1)
      bytes.append(text: text)
      bytes.append(text: reason)
    case .row(let row):
      bytes.append(number: row.line * 2)
      bytes.append(row.start)
      switch row.end {
      case .nextStart: bytes.append(0)
      case .at(let end):
        bytes.append(1)
        bytes.append(end)
      case .after(let length):
        bytes.append(2)
        bytes.append(length)
      }
      for text in [row.source, row.id, row.output] {
        bytes.append(text == nil ? 0 : 1)
        if let text { bytes.append(text: text) }
      }
      bytes.append(number: row.texts.count)
      for (key, text) in row.texts {
        bytes.append(number: number(of: key))
        bytes.append(text: text)
      }
      bytes.append(number: row.tags.count)
      for tag in row.tags {
        bytes.append(text: tag.key)
        bytes.append(text: tag.value)
      }
    }
    if blocks.last.map({ $0.count + bytes.count > Self.blockSize }) ?? true {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(Swift.max(Self.blockSize, bytes.count))
    }
    let block = blocks.count - 1
    places.append(UInt64(block) << 32 | UInt64(blocks[block].count))
    blocks[block] += bytes
  }

  private mutating func number(of key: String) -> Int {
    if let number = numbers[key] { return number }
    numbers[key] = keys.count
    keys.append(key)
    return keys.count - 1
  }
}

extension PackedEntries: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { places.count }

  subscript(index: Int) -> TableContent.Entry {
    let place = places[index]
    var bytes = blocks[Int(place >> 32)][Int(place & 0xFFFF_FFFF)...]
    let first = bytes.takeNumber()
    let line = first / 2
    guard first % 2 == 0 else {
      return .fault(line: line, text: bytes.takeText(), reason: bytes.takeText())
    }
    var row = TableRow(line: line, start: bytes.takePosition())
    switch bytes.popFirst() {
    case 1: row.end = .at(bytes.takePosition())
    case 2: row.end = .after(bytes.takePosition())
    default: break
    }
    for text in [\TableRow.source, \.id, \.output] where bytes.popFirst() == 1 {
      row[keyPath: text] = bytes.takeText()
    }
    let count = bytes.takeNumber()
    row.texts.reserveCapacity(count)
    for _ in 0..<count { row.texts[keys[bytes.takeNumber()]] = bytes.takeText() }
    for _ in 0..<bytes.takeNumber() {
      let key = bytes.takeText()
      row.tags.append(TagEdit(key: key, value: bytes.takeText()))
    }
    return .row(row)
  }
}

extension [UInt8] {
  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  fileprivate mutating func append(number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest > 0x7F {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  fileprivate mutating func append(text: String) {
    append(number: text.utf8.count)
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func append(_ position: TimePosition) {
    switch position {
    case .samples(let count):
      append(0)
      append(number: Int(count))
    case .time(let time):
      append(1)
      append(number: Int(time.components.seconds))
      append(number: Int(time.components.attoseconds))
    }
  }
}

extension ArraySlice<UInt8> {
  // The compiler would repeat it in each place that reads a number, and then needs as long as for five hundred other lines.
  @inline(never)
  fileprivate mutating func takeNumber() -> Int {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = popFirst() {
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return Int(Int64(bitPattern: number))
  }

  fileprivate mutating func takeText() -> String {
    let count = takeNumber()
    defer { removeFirst(count) }
    return String(decoding: prefix(count), as: UTF8.self)
  }

  fileprivate mutating func takePosition() -> TimePosition {
    guard popFirst() == 1 else { return .samples(Int64(takeNumber())) }
    let seconds = Int64(takeNumber())
    return .time(Duration(secondsComponent: seconds, attosecondsComponent: Int64(takeNumber())))
  }
}
