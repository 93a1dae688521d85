// SPDX-License-Identifier: Apache-2.0
/// The blocks of sound and of silence of a Creative Voice file.
///
/// libsndfile 1.2.0 refuses files with several blocks, takes the heads of further ones for samples, and ADPCM for PCM.
/// Source: the description of the format in sox 14.4.2's `voc.c`.
struct VoiceBlocks {
  /// The samples' places, from the start of the file, and the silence between them.
  private(set) var parts: [PartedSampleReader.Part] = []
  /// The description of the sound by its first block; nil if the file has no sound.
  private(set) var description: VoiceDescription?
  /// Whether sound of another rate, encoding or channel count follows, which one stream cannot hold.
  private(set) var endsWithin = false

  /// - Parameter window: a window in which the file begins at `start`.
  init(in window: FileWindow, from start: Int64) throws(AudioError) {
    let head = try window.bytes(26, at: start)
    guard head.count == 26 else { return }
    var position = start + Int64(head.integer(at: 20, 2, .little))
    var extended: VoiceDescription?
    for _ in 0..<ChunkForm.mostChunks {
      let block = try window.bytes(16, at: position)
      guard block.count >= 4, block[0] > Kind.end else { return }
      let content = position + 4
      let end = content + Int64(block.integer(at: 1, 3, .little))
      position = end
      switch block[0] {
      case Kind.sound, Kind.describedSound:
        let size = block[0] == Kind.sound ? 2 : 12
        guard block.count >= 4 + size, content + Int64(size) <= end else { return }
        let found =
          extended ?? (size == 2 ? VoiceDescription(sound: block) : VoiceDescription(long: block))
        extended = nil
        guard description == nil || description == found else {
          endsWithin = true
          return
        }
        description = found
        parts.append(.stored(content + Int64(size)..<end))
      case Kind.extension where block.count >= 8: extended = VoiceDescription(extension: block)
      case Kind.moreSound where description != nil: parts.append(.stored(content..<end))
      case Kind.silence where block.count >= 6:
        guard let size = description?.bytesPerFrame else { break }
        parts.append(.silence((Int64(block.integer(at: 4, 2, .little)) + 1) * Int64(size)))
      default: break
      }
    }
  }

  private enum Kind {
    static let end: UInt8 = 0
    static let sound: UInt8 = 1
    static let moreSound: UInt8 = 2
    static let silence: UInt8 = 3
    static let `extension`: UInt8 = 8
    static let describedSound: UInt8 = 9
  }

  var byteCount: Int64 { parts.reduce(0) { $0 + $1.byteCount } }

  /// The parts that lie before `end`, the end of the file.
  func parts(before end: Int64) -> [PartedSampleReader.Part] {
    var present: [PartedSampleReader.Part] = []
    for part in parts {
      guard case .stored(let range) = part, range.upperBound > end else {
        present.append(part)
        continue
      }
      if range.lowerBound < end { present.append(.stored(range.lowerBound..<end)) }
      break
    }
    return present
  }
}

/// The rate, the channels and the coding of a Creative Voice file.
struct VoiceDescription: Equatable {
  /// In hertz.
  let sampleRate: Int
  let channelCount: Int
  private let coding: Int
  private let bits: Int

  /// A block of type 1, whose rate is a divisor of 1 MHz.
  init(sound block: [UInt8]) {
    sampleRate = 1_000_000 / (256 - Int(block[4]))
    channelCount = 1
    coding = Int(block[5])
    bits = 8
  }

  /// A block of type 8, which describes the following block of type 1.
  init(extension block: [UInt8]) {
    channelCount = block[7] == 0 ? 1 : 2
    let divisor = 65_536 - Int(block.integer(at: 4, 2, .little))
    sampleRate = 256_000_000 / (divisor * channelCount)
    coding = Int(block[6])
    bits = 8
  }

  /// A block of type 9.
  init(long block: [UInt8]) {
    sampleRate = Int(block.integer(at: 4, 4, .little))
    (bits, channelCount) = (Int(block[8]), Int(block[9]))
    coding = Int(block.integer(at: 10, 2, .little))
  }

  /// The layout of a sample; nil for a coding that is not stored sample by sample.
  var layout: SampleLayout? {
    switch (coding, bits) {
    case (0, 8): SampleLayout(.u8, .little)
    case (0, 16), (4, 16): SampleLayout(.s16, .little)
    case (6, _): SampleLayout(.alaw, .little)
    case (7, _): SampleLayout(.ulaw, .little)
    default: nil
    }
  }

  /// The bytes of one sample per channel; nil without a layout.
  var bytesPerFrame: Int? { layout.map { $0.bytesPerSample * channelCount } }

  /// The name of the coding, for errors.
  var codingName: String {
    (1...3).contains(coding) || coding == 0x200
      ? "VOC with Creative ADPCM" : "VOC with coding \(coding)"
  }
}
