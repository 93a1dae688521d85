// SPDX-License-Identifier: Apache-2.0

/// Chunked files, written byte by byte as input for metadata readers.
enum ChunkBytes {
  static func number(_ value: Int, _ size: Int, big: Bool = false) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return big ? bytes.reversed() : bytes
  }

  static func chunk(_ name: String, _ content: [UInt8], big: Bool = false) -> [UInt8] {
    Array(name.utf8) + number(content.count, 4, big: big) + content
      + (content.count % 2 == 1 ? [0] : [])
  }

  static func text(_ text: String, _ size: Int) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  /// Mono, 16 bits, 48 kHz.
  static func format(big: Bool = false) -> [UInt8] {
    chunk(
      "fmt ",
      number(1, 2, big: big) + number(1, 2, big: big) + number(48_000, 4, big: big)
        + number(96_000, 4, big: big) + number(2, 2, big: big) + number(16, 2, big: big), big: big)
  }

  static func samples(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { number($0 * 7 % 30_000, 2) }
  }

  static func form(_ content: [UInt8], id: String = "RIFF") -> [UInt8] {
    Array(id.utf8) + number(content.count + 4, 4, big: id == "RIFX") + Array("WAVE".utf8) + content
  }

  static func wave(
    front: [[UInt8]] = [], count: Int = 1_000, behind: [[UInt8]] = []
  ) -> [UInt8] {
    form(format() + front.joined() + chunk("data", samples(count)) + behind.joined())
  }

  static func info(_ texts: [(String, [UInt8])], big: Bool = false) -> [UInt8] {
    chunk(
      "LIST", Array("INFO".utf8) + texts.flatMap { chunk($0.0, $0.1 + [0], big: big) }, big: big)
  }

  /// EBU Tech 3285, version 2.
  static func broadcast(history: String = "A=PCM,F=48000,W=16,M=mono\r\n") -> [UInt8] {
    var bytes = text("Rain on a roof", 256)
    bytes += text("Ann", 32)
    bytes += text("REF-1", 32)
    bytes += text("2024-05-06", 10)
    bytes += text("07:08:09", 8)
    bytes += number(0x1_0000_0002, 8)
    bytes += number(2, 2)
    bytes += (1...64).map { UInt8($0) }
    for level in [-2_305, 712, -101, 0x7FFF, -1_950] { bytes += number(level, 2) }
    bytes += [UInt8](repeating: 0, count: 180)
    return bytes + Array(history.utf8)
  }

  static func cue(_ points: [(id: Int, position: Int)], big: Bool = false) -> [UInt8] {
    var bytes = number(points.count, 4, big: big)
    for point in points {
      bytes += number(point.id, 4, big: big)
      bytes += number(point.position, 4, big: big)
      bytes += Array("data".utf8)
      bytes += number(0, 8)
      bytes += number(point.position, 4, big: big)
    }
    return bytes
  }

  static func sampler(note: Int, loops: [(start: Int, last: Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in [0, 0, 20_833, note, 0x8000_0000, 0, 0, loops.count, 3] {
      bytes += number(field, 4)
    }
    for (index, loop) in loops.enumerated() {
      for field in [index + 5, index, loop.start, loop.last, 0, index * 2] {
        bytes += number(field, 4)
      }
    }
    return bytes + [1, 2, 3]
  }
}
