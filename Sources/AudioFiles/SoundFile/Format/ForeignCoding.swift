// SPDX-License-Identifier: Apache-2.0
/// Codings that libsndfile 1.2.0 cannot read in containers that it reads.
///
/// Sources: each container's specification, and libavformat's tables of tags (`riff.c`, `caf.c`, `aiff.h`).
enum ForeignCoding {
  /// The name of the coding in a file that begins with `bytes`.
  ///
  /// - Returns: nil if libsndfile reads the coding, or the coding is unknown.
  static func name(_ bytes: [UInt8]) -> String? {
    switch true {
    case bytes.has("fLaC", at: 0): flac(bytes)
    case bytes.has("OggS", at: 0): ogg(bytes)
    case bytes.has("NIST_1A", at: 0): sphere(bytes)
    case bytes.has("caff", at: 0): coreAudio(bytes)
    case bytes.has("FORM", at: 0) && bytes.has("AIFC", at: 8): aiffC(bytes)
    case bytes.has("FORM", at: 0) && bytes.has("8SVX", at: 8): svx(bytes)
    case bytes.has("riff", at: 0):
      FileBeginning(bytes, named: "").wave64Format.flatMap { name(ofTag: $0.tag) }
    default: ircam(bytes)
    }
  }

  /// The name of the coding in a WAVE file with this `wFormatTag`; nil if libsndfile reads it.
  static func name(ofTag tag: Int?) -> String? {
    guard let tag, !readTags.contains(tag) else { return nil }
    return "WAV with \(tagNames[tag] ?? "coding 0x" + String(tag, radix: 16, uppercase: true))"
  }

  /// PCM, MS ADPCM, floating point, A-law and µ-law, IMA ADPCM, G.723, GSM, NMS ADPCM, G.721, MPEG.
  private static let readTags: Set = [
    0x01, 0x02, 0x03, 0x06, 0x07, 0x11, 0x14, 0x31, 0x38, 0x40, 0x50, 0x55,
  ]

  private static let tagNames = [
    0x22: "TrueSpeech", 0x42: "G.723.1", 0x45: "G.726", 0x64: "G.726", 0x65: "G.722",
    0x28F: "G.722", 0x83: "G.729", 0x92: "AC-3", 0xFF: "AAC", 0x130: "ACELP", 0x160: "WMA",
    0x161: "WMA", 0x162: "WMA Pro", 0x163: "WMA Lossless", 0x200: "Creative ADPCM",
    0x270: "ATRAC3", 0x1600: "AAC", 0x1602: "AAC", 0x2000: "AC-3", 0x2001: "DTS",
    0x566F: "Vorbis", 0x674F: "Vorbis", 0x6750: "Vorbis", 0x6751: "Vorbis", 0x676F: "Vorbis",
    0x6770: "Vorbis", 0x6771: "Vorbis", 0x704F: "Opus", 0xA109: "Speex", 0xF1AC: "FLAC",
  ]

  /// RFC 9639, section 8.2.
  private static func flac(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 42 else { return nil }
    let bits = Int(bytes.integer(at: 20, 2, .big) >> 4 & 0x1F) + 1
    return [8, 16, 24].contains(bits) ? nil : "FLAC of \(bits) bits"
  }

  private static func ogg(_ bytes: [UInt8]) -> String? {
    guard bytes.count > OggPage.headSize, let size = OggPage.sizes(bytes)?.all,
      bytes.count > size + 5, bytes[size + 5] & OggPage.isFirst != 0
    else { return nil }
    return "Ogg with several streams"
  }

  private static func sphere(_ bytes: [UInt8]) -> String? {
    let words = bytes.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0 }
      .map { String(decoding: $0, as: UTF8.self) }
    func value(_ name: String) -> String? {
      words.firstIndex(of: name).flatMap { $0 + 2 < words.count ? words[$0 + 2] : nil }
    }
    let coding = value("sample_coding") ?? "pcm"
    if coding.hasSuffix("shorten") || coding.split(separator: "-").contains("shorten") {
      return "SPHERE in shorten coding"
    }
    guard ["pcm", "ulaw", "mu-law", "alaw"].contains(coding) else {
      return "SPHERE in \(coding) coding"
    }
    guard let size = value("sample_n_bytes").flatMap({ Int($0) }), ![1, 2, 4].contains(size),
      (1...8).contains(size)
    else { return nil }
    return "SPHERE of \(8 * size) bits"
  }

  /// Apple, "Core Audio Format Specification 1.0".
  private static func coreAudio(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 32, bytes.has("desc", at: 8) else { return nil }
    let coding = String(decoding: bytes[28..<32], as: UTF8.self)
    if coding == "alac" { return "a kind of ALAC in CAF" }
    guard ["lpcm", "alaw", "ulaw"].contains(coding) else { return "CAF with coding '\(coding)'" }
    let isUnknown = bytes.indices.contains { index in
      bytes.has("data", at: index) && index + 12 <= bytes.count
        && bytes[index + 4..<index + 12].allSatisfy { $0 == 0xFF }
    }
    return isUnknown ? "CAF of unknown length" : nil
  }

  private static func aiffC(_ bytes: [UInt8]) -> String? {
    guard let common = bytes.indices.first(where: { bytes.has("COMM", at: $0) }),
      common + 30 <= bytes.count
    else { return nil }
    let coding = String(decoding: bytes[common + 26..<common + 30], as: UTF8.self)
    let read: Set = [
      "NONE", "twos", "sowt", "raw ", "fl32", "FL32", "fl64", "FL64", "ulaw", "ULAW", "alaw",
      "ALAW", "in24", "ni24", "in32", "ni32", "23ni", "42ni", "DWVW", "GSM ", "ima4", "IMA4",
    ]
    return read.contains(coding) ? nil : "AIFF-C with coding '\(coding)'"
  }

  /// Electronic Arts, "8SVX IFF 8-Bit Sampled Voice".
  private static func svx(_ bytes: [UInt8]) -> String? {
    guard let header = bytes.indices.first(where: { bytes.has("VHDR", at: $0) }),
      header + 24 <= bytes.count, bytes[header + 23] != 0
    else { return nil }
    return bytes[header + 23] == 1
      ? "8SVX in Fibonacci-delta coding" : "8SVX in coding \(bytes[header + 23])"
  }

  private static func ircam(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 16,
      bytes.starts(with: [0x64, 0xA3]) || bytes[2...].starts(with: [0xA3, 0x64])
    else { return nil }
    // The byte order is unknown, but the numbers are small.
    let coding = min(bytes.integer(at: 12, 4, .little), bytes.integer(at: 12, 4, .big))
    switch coding {
    case 1: return "IRCAM of 8 bits"
    case 3: return "IRCAM of 24 bits"
    default: return nil
    }
  }
}

extension AudioError {
  /// Returns an error that names the coding that libsndfile refused; otherwise, returns `self`.
  func naming(_ coding: String?, in name: String) -> AudioError {
    guard let coding, [.unrecognised, .malformed, .unsupported].contains(kind) else { return self }
    return AudioError(
      .unsupported, cannot: "read", name, because: ForeignContainer.reason(coding))
  }
}
