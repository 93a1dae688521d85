// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Sound files with any number of pieces of a kind beside a short sound, such as only an attacker writes.
enum ManyPieces: String, CaseIterable, CustomTestStringConvertible {
  /// Texts in one list.
  case texts
  /// Lists of one text.
  case lists
  case samplers
  case loops
  /// Marks and their names.
  case marks
  case unknownChunks
  /// Frames of an ID3 tag in a chunk, each a text of another name.
  case frames
  /// Texts of one frame.
  case textsOfFrame
  case pictureFrames
  /// Frames of a tag before an MP3 file.
  case framesOfMP3
  /// Frames that only such tags have.
  case privateFrames
  /// Chapters of such a tag, each with a frame that only such tags have.
  case chapterFrames
  /// Items of a tag after an MP3 file.
  case items
  /// Comments, each with its own name.
  case comments
  /// Comments of one name.
  case commentsOfName
  case pictureBlocks
  case commentsOfOgg
  case annotations
  /// Marks of AIFF, and their comments.
  case marksOfAIFF
  case textsOfCAF
  case marksOfCAF
  /// Chapters and texts that ffmpeg reads.
  case chaptersOfMP4
  case textsOfMatroska

  var testDescription: String { rawValue }

  /// The suffix of the file's name.
  var ending: String {
    switch self {
    case .framesOfMP3, .privateFrames, .chapterFrames, .items: "mp3"
    case .comments, .commentsOfName, .pictureBlocks: "flac"
    case .commentsOfOgg: "ogg"
    case .annotations, .marksOfAIFF: "aiff"
    case .textsOfCAF, .marksOfCAF: "caf"
    case .chaptersOfMP4: "m4a"
    case .textsOfMatroska: "mka"
    default: "wav"
    }
  }

  /// The most pieces of this kind in a file: a piece is at most 16 MiB, and numbers have their bits.
  var most: Int {
    switch self {
    case .marksOfAIFF: 65_535
    // ffmpeg's time grows with the square.
    case .chaptersOfMP4: 10_000
    case .textsOfMatroska: 10_000
    case .pictureBlocks: 100_000
    default: 1_000_000
    }
  }

  /// Writes the file.
  ///
  /// - Returns: its name.
  func write(_ count: Int, in directory: TemporaryDirectory) throws -> String {
    let name = "\(rawValue)-\(count).\(ending)"
    switch self {
    case .commentsOfOgg, .chaptersOfMP4, .textsOfMatroska:
      let kind = self == .chaptersOfMP4 ? ManyPieces.marks : .comments
      let source = try kind.write(count, in: directory)
      let run = try directory.run("convert", source, "-q", "-o", name)
      guard run.ending == .exit(0) else { throw CocoaError(.fileWriteUnknown) }
    case .framesOfMP3, .privateFrames, .chapterFrames, .items:
      let sound = try Self.encoded("mp3", in: directory)
      let tag = self == .items ? Self.apeTag(count) : Self.tag(frames(count))
      try directory.write(self == .items ? sound + tag : tag + sound, name)
    case .comments, .commentsOfName, .pictureBlocks:
      try directory.write(
        Self.flac(blocks(count), in: try Self.encoded("flac", in: directory)), name)
    case .annotations, .marksOfAIFF: try directory.write(Self.aiff(chunks(count)), name)
    case .textsOfCAF, .marksOfCAF: try directory.write(Self.caf(chunks(count)), name)
    default: try directory.write(Self.wave(chunks(count)), name)
    }
    return name
  }
}

extension ManyPieces {
  /// The chunks after the samples.
  private func chunks(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .texts:
      bytes += Array("INFO".utf8)
      for index in 0..<count { bytes.appendChunk(Self.name(index), Self.text(index) + [0]) }
      return [UInt8](chunk: "LIST", bytes)
    case .lists:
      for index in 0..<count {
        let text = [UInt8](chunk: Self.name(index), Self.text(index) + [0])
        bytes.appendChunk("LIST", Array("INFO".utf8) + text)
      }
    case .samplers:
      for index in 0..<count { bytes.appendChunk("smpl", Self.sampler(index..<index + 1)) }
    case .loops: bytes.appendChunk("smpl", Self.sampler(0..<count))
    case .marks:
      var points = number(count), labels = Array("adtl".utf8)
      for index in 0..<count {
        points += number(index) + number(index % 900) + Array("data".utf8)
        points += number(0) + number(0) + number(index % 900)
        labels.appendChunk("labl", number(index) + Self.text(index) + [0])
      }
      return [UInt8](chunk: "cue ", points) + [UInt8](chunk: "LIST", labels)
    case .unknownChunks: for index in 0..<count { bytes.appendChunk("zzz!", Self.text(index)) }
    case .frames: bytes.appendChunk("id3 ", Self.tag(frames(count)))
    case .textsOfFrame:
      let texts = (0..<count).flatMap { _ in [UInt8(ascii: "a"), 0] }
      bytes.appendChunk("id3 ", Self.tag(Self.frame("TIT2", [3] + texts)))
    case .pictureFrames:
      var frames: [UInt8] = []
      for index in 0..<count {
        frames += Self.frame("APIC", Array("\u{3}image/png\0\u{3}\0".utf8) + Self.text(index))
      }
      bytes.appendChunk("id3 ", Self.tag(frames))
    case .annotations:
      for index in 0..<count { bytes.appendChunk("ANNO", Self.text(index), big: true) }
    case .marksOfAIFF:
      var marks = number(count, 2, big: true), comments = marks
      for index in 1...max(1, count) where index <= count {
        marks += number(index, 2, big: true) + number(index % 900, 4, big: true) + [1, 0x61]
        comments += number(0, 4) + number(index, 2, big: true) + [0, 2, 0x62, 0x63]
      }
      return [UInt8](chunk: "MARK", marks, big: true) + [UInt8](chunk: "COMT", comments, big: true)
    case .textsOfCAF:
      bytes += number(count, 4, big: true)
      for index in 0..<count { bytes += Array("k\(index)\0v\(index)\0".utf8) }
      return Self.cafChunk("info", bytes)
    case .marksOfCAF:
      var marks = number(0, 4) + number(count, 4, big: true)
      var table = number(count, 4, big: true), texts: [UInt8] = []
      for index in 0..<count {
        let place = Double(index % 900).bitPattern
        marks += number(0, 4) + number(Int(place), 8, big: true) + number(index, 4, big: true)
        marks += [UInt8](repeating: 0xFF, count: 8) + number(0, 4)
        table += number(index, 4, big: true) + number(texts.count, 8, big: true)
        texts += Self.text(index) + [0]
      }
      return Self.cafChunk("mark", marks) + Self.cafChunk("strg", table + texts)
    default: break
    }
    return bytes
  }

  /// The blocks after STREAMINFO.
  private func blocks(_ count: Int) -> [(number: UInt8, content: [UInt8])] {
    if self == .pictureBlocks {
      return (0..<count).map { index in
        let text = Self.text(index)
        // No type, no description, four numbers.
        let head = number(3, 4, big: true) + [UInt8](repeating: 0, count: 24)
        return (6, head + number(text.count, 4, big: true) + text)
      }
    }
    var comments = number(1) + [0x78] + number(count)
    for index in 0..<count {
      let comment = Array((self == .comments ? "K\(index)=\(index)" : "K=\(index)").utf8)
      comments += number(comment.count) + comment
    }
    return [(4, comments)]
  }

  private static func text(_ index: Int) -> [UInt8] { Array("v\(index)".utf8) }

  /// `I` and three characters, so that names repeat late.
  private static func name(_ index: Int) -> String {
    let digits = String(index % 46_656, radix: 36, uppercase: true)
    return "I" + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private static func sampler(_ loops: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for field in [0, 0, 20_833, 60, 0, 0, 0, loops.count, 0] { bytes += number(field) }
    for index in loops {
      for field in [index, 0, index % 900, index % 900 + 9, 0, 0] { bytes += number(field) }
    }
    return bytes
  }
}

// Tags around a file.
extension ManyPieces {
  private static func synchsafe(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  }

  private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + synchsafe(content.count) + [0, 0] + content
  }

  private func frames(_ count: Int) -> [UInt8] {
    (0..<count).reduce(into: []) { frames, index in
      switch self {
      case .privateFrames: frames += Self.frame("PRIV", Array("o\(index)\0x".utf8))
      case .chapterFrames:
        let time = number(index % 20, big: true) + number(index % 20 + 1, big: true)
        let inner = Self.frame("TIT2", [3] + Self.text(index)) + Self.frame("WXXX", [0, 0, 0x78])
        frames += Self.frame(
          "CHAP", Self.text(index) + [0] + time + [UInt8](repeating: 0xFF, count: 8) + inner)
      default: frames += Self.frame("TXXX", Array("\u{3}K\(index)\0\(index)".utf8))
      }
    }
  }

  private static func tag(_ frames: [UInt8]) -> [UInt8] {
    Array("ID3\u{4}\0\0".utf8) + synchsafe(frames.count) + frames
  }

  private static func apeTag(_ count: Int) -> [UInt8] {
    var items: [UInt8] = []
    for index in 0..<count {
      let value = text(index)
      items += number(value.count) + number(0) + Array("K\(index)\0".utf8) + value
    }
    let foot = Array("APETAGEX".utf8) + number(2_000) + number(items.count + 32) + number(count)
    return items + foot + [UInt8](repeating: 0, count: 12)
  }
}

// The files around the pieces.
extension ManyPieces {
  private static let sampleCount = 1_000

  private static func wave(_ behind: [UInt8]) -> [UInt8] {
    var file = WaveBytes.file([UInt8](repeating: 0, count: 2 * sampleCount)) + behind
    file.replaceSubrange(4..<8, with: number(file.count - 8))
    return file
  }

  private static func aiff(_ behind: [UInt8]) -> [UInt8] {
    // 48,000 as an 80-bit number.
    let rate: [UInt8] = [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
    let common = number(1, 2, big: true) + number(sampleCount, 4, big: true) + [0, 16] + rate
    var content = Array("AIFF".utf8) + [UInt8](chunk: "COMM", common, big: true)
    content.appendChunk("SSND", [UInt8](repeating: 0, count: 8 + 2 * sampleCount), big: true)
    return [UInt8](chunk: "FORM", content + behind, big: true)
  }

  private static func caf(_ behind: [UInt8]) -> [UInt8] {
    var description = number(Int((48_000.0).bitPattern), 8, big: true) + Array("lpcm".utf8)
    for field in [0, 2, 1, 1, 16] { description += number(field, 4, big: true) }
    let samples = [UInt8](repeating: 0, count: 4 + 2 * sampleCount)
    return Array("caff".utf8) + [0, 1, 0, 0] + cafChunk("desc", description)
      + cafChunk("data", samples) + behind
  }

  private static func cafChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(content.count, 8, big: true) + content
  }

  /// Returns a short sound from the encoder.
  private static func encoded(_ ending: String, in directory: TemporaryDirectory) throws -> [UInt8]
  {
    try directory.write(wave([]), "sound.wav")
    let run = try directory.run("convert", "sound.wav", "-q", "--force", "-o", "sound.\(ending)")
    guard run.ending == .exit(0) else { throw CocoaError(.fileWriteUnknown) }
    return try directory.bytes("sound.\(ending)")
  }

  /// Returns the file with `blocks` after STREAMINFO.
  private static func flac(
    _ blocks: [(number: UInt8, content: [UInt8])], in file: [UInt8]
  ) -> [UInt8] {
    var start = 4
    var isLast = false
    while !isLast {
      isLast = file[start] & 0x80 != 0
      start += 4 + file[start + 1..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    var result = Array(file[..<42])
    result[4] = blocks.isEmpty ? 0x80 : 0
    for (index, block) in blocks.enumerated() {
      result.append(block.number | (index == blocks.count - 1 ? 0x80 : 0))
      result += number(block.content.count, 3, big: true) + block.content
    }
    return result + file[start...]
  }
}

private func number(_ value: Int, _ size: Int = 4, big: Bool = false) -> [UInt8] {
  let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  return big ? bytes.reversed() : bytes
}

extension [UInt8] {
  fileprivate init(chunk name: String, _ content: [UInt8], big: Bool = false) {
    self = []
    appendChunk(name, content, big: big)
  }

  fileprivate mutating func appendChunk(_ name: String, _ content: [UInt8], big: Bool = false) {
    self += name.utf8
    self += number(content.count, big: big)
    self += content
    if content.count % 2 == 1 { append(0) }
  }
}
