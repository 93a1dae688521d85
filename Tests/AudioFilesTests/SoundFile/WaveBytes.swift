// SPDX-License-Identifier: Apache-2.0

/// A small WAVE reader and writer independent of the library: the oracle for headers.
struct WaveBytes {
  var id: String
  var riffSize: UInt32
  /// Chunks in order: identifier, stated size, and the start of the body.
  var chunks: [(id: String, size: UInt32, start: Int)] = []
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    id = String(decoding: bytes[0..<4], as: UTF8.self)
    riffSize = Self.word(bytes, 4)
    var position = 12
    while position + 8 <= bytes.count {
      let size = Self.word(bytes, position + 4)
      let id = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      chunks.append((id, size, position + 8))
      if id == "data", size == .max { break }
      position += 8 + Int(size) + Int(size & 1)
    }
  }

  static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * $1) }
  }

  func body(_ id: String) -> [UInt8]? {
    guard let chunk = chunks.first(where: { $0.id == id }) else { return nil }
    return Array(bytes[chunk.start..<min(bytes.count, chunk.start + Int(chunk.size))])
  }

  /// Returns a header with `size` in its data chunk, 16 bits, mono, 8 kHz, then `data` and `tail`.
  static func file(
    _ size: UInt32, data: [UInt8], tail: [UInt8] = [], junk: Int = 0, id: String = "RIFF",
    ds64: UInt64? = nil
  ) -> [UInt8] {
    var bytes = Array(id.utf8) + little(0xFFFF_FFFF, 4) + Array("WAVE".utf8)
    if let ds64 {
      bytes += Array("ds64".utf8) + little(28, 4) + little(0, 8) + little(ds64, 8)
      bytes += little(0, 8) + little(0, 4)
    }
    if junk > 0 {
      bytes += Array("LIST".utf8) + little(UInt64(junk), 4)
      bytes += [UInt8](repeating: 0x64, count: junk + junk % 2)
    }
    bytes += Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2) + little(8_000, 4)
    bytes += little(16_000, 4) + little(2, 2) + little(16, 2)
    bytes += Array("data".utf8) + little(UInt64(size), 4) + data + tail
    return bytes
  }

  static func little(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
