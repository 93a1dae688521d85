// SPDX-License-Identifier: Apache-2.0
/// The channel layout of Apple's files: the `chan` chunk of CAF, and `CHAN` in AIFF.
///
/// Source: Apple, CoreAudioBaseTypes.h (AudioChannelLayout); "Apple Core Audio Format Specification 1.0", Channel
/// Layout Chunk. All numbers are big-endian.
struct AppleChannelLayout {
  let layout: Metadata.ChannelLayout
  /// nil if the channels are in the order of WAV.
  let order: ChannelOrder?

  /// The bitmap names the loudspeakers as in WAV.
  private static let usesBitmap = 1
  /// Each channel has a description of 20 bytes.
  private static let usesDescriptions = 0
  private static let discrete = 147
  private static let unknown = 0xFFFF
  private static let ambisonic = 107
  /// Its last four channels are Ls, Rs, Rls and Rrs. ffmpeg before version 7 took them for the rear and side channels
  /// in the order of WAV. It is the only program known to write such chunks into AIFF.
  private static let mpeg71C: UInt64 = 128
}

extension AppleChannelLayout {
  /// - Parameter chunks: of one file.
  /// - Returns: nil if no chunk states a known layout.
  init?(in chunks: [Metadata.Chunk]) {
    let chunk = chunks.last { $0.family == .caf && $0.identifier == "chan" || $0.isAiffLayout }
    guard let chunk else { return nil }
    let isByFFmpeg = chunk.isAiffLayout || chunks.contains { $0.isOfEarlierFFmpeg }
    if isByFFmpeg, chunk.content.count >= 12, chunk.content.integer(at: 0, 2, .big) == Self.mpeg71C
    {
      self.init(layout: .speakers(0x63F), order: nil)
    } else {
      self.init(chunk.content)
    }
  }

  /// - Returns: nil if the layout is unknown.
  init?(_ chunk: [UInt8]) {
    guard chunk.count >= 12 else { return nil }
    let tag = Int(chunk.integer(at: 0, 4, .big)) >> 16
    let labels: [Label?]
    switch tag {
    case Self.usesBitmap:
      layout = .speakers(UInt32(chunk.integer(at: 4, 4, .big)))
      order = nil
      return
    case Self.discrete, Self.unknown:
      layout = .discrete
      order = nil
      return
    case Self.ambisonic:
      layout = .ambisonic
      order = nil
      return
    case Self.usesDescriptions:
      let count = Int(chunk.integer(at: 8, 4, .big))
      guard StreamFormat.channelCounts.contains(count), chunk.count >= 12 + 20 * count else {
        return nil
      }
      labels = (0..<count).map { Label(rawValue: Int(chunk.integer(at: 12 + 20 * $0, 4, .big))) }
    default:
      guard let names = Self.names[tag] else { return nil }
      labels = names.split(separator: " ").map { Label.names[$0] }
    }
    guard let stored = Self.channels(labels) else { return nil }
    (layout, order) = (stored.layout, stored.order)
  }

  /// Whether a file's chunk states `layout` in the channel order of WAV.
  static func says(_ layout: Metadata.ChannelLayout?, in chunk: Metadata.Chunk) -> Bool {
    guard let layout, let stated = AppleChannelLayout(chunk.content) else { return false }
    return stated.layout == layout && stated.order == nil
  }

  /// The loss of a chunk with an unknown layout: it may describe another order of the channels.
  static func omissions(_ chunk: Metadata.Chunk) -> [Metadata.Omission] {
    AppleChannelLayout(chunk.content) == nil
      ? [.init("'\(chunk.identifier)' chunk", because: "its channel layout is not known here")] : []
  }

  /// The chunk's content; nil if the format has no layout that every reader knows.
  static func chunk(_ layout: Metadata.ChannelLayout, channelCount: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    switch layout {
    case .speakers(let mask):
      bytes.append(usesBitmap << 16, 4, .big)
      bytes.append(mask, 4, .big)
    case .discrete:
      bytes.append(discrete << 16 | channelCount, 4, .big)
      bytes.append(0, 4, .big)
    case .ambisonic: return nil
    }
    bytes.append(0, 4, .big)
    return bytes
  }
}

extension Metadata.Chunk {
  fileprivate var isAiffLayout: Bool { family == .aiff && identifier == "CHAN" }

  /// Whether it holds the texts of a file written by ffmpeg before version 7 (libavformat 61).
  fileprivate var isOfEarlierFFmpeg: Bool {
    guard family == .caf, identifier == "info" else { return false }
    let encoder = CafMetadata.tags(content)["ENCODER"].first ?? ""
    guard encoder.hasPrefix("Lavf"), let major = encoder.dropFirst(4).split(separator: ".").first
    else { return false }
    return Int(major).map { $0 < 61 } ?? false
  }
}

extension AppleChannelLayout {
  /// The channel labels (kAudioChannelLabel) that WAV has, too.
  private enum Label: Int, CaseIterable {
    case left = 1
    case right, centre, lowFrequency, leftSurround, rightSurround, leftCentre, rightCentre,
      centreSurround, leftSurroundDirect, rightSurroundDirect, topCentre, topFrontLeft,
      topFrontCentre, topFrontRight, topBackLeft, topBackCentre, topBackRight
    case leftRear = 33
    case rightRear
    case mono = 42
    case headphonesLeft = 301
    case headphonesRight

    static let names: [Substring: Label] = [
      "L": .left, "R": .right, "C": .centre, "LFE": .lowFrequency, "Ls": .leftSurround,
      "Rs": .rightSurround, "Lc": .leftCentre, "Rc": .rightCentre, "Cs": .centreSurround,
      "Lsd": .leftSurroundDirect, "Rsd": .rightSurroundDirect, "Ts": .topCentre,
      "Vhl": .topFrontLeft, "Vhc": .topFrontCentre, "Vhr": .topFrontRight, "Rls": .leftRear,
      "Rrs": .rightRear, "M": .mono,
    ]
  }

  /// - Parameter labels: of each channel; nil for channels without a loudspeaker in WAV.
  private static func channels(_ labels: [Label?]) -> StoredChannels? {
    let hasRear = labels.contains { $0 == .leftRear || $0 == .rightRear }
    return StoredChannels(
      labels.map { label in
        switch label {
        case nil: 0
        case .mono: 0x4
        case .headphonesLeft: 0x1
        case .headphonesRight: 0x2
        case .leftRear: 0x10
        case .rightRear: 0x20
        // The surround pair is at the sides if there is a rear pair.
        case .leftSurround where hasRear: 0x200
        case .rightSurround where hasRear: 0x400
        case .some(let label): 1 << UInt32(label.rawValue - 1)
        }
      })
  }

  /// The named layouts (kAudioChannelLayoutTag) whose loudspeakers WAV has, by the tag's upper 16 bits.
  private static let names: [Int: String] = [
    100: "M", 101: "L R", 102: "L R", 106: "L R", 108: "L R Ls Rs", 109: "L R Ls Rs C",
    110: "L R Ls Rs C Cs", 113: "L R C", 114: "C L R", 115: "L R C Cs", 116: "C L R Cs",
    117: "L R C Ls Rs", 118: "L R Ls Rs C", 119: "L C R Ls Rs", 120: "C L R Ls Rs",
    121: "L R C LFE Ls Rs", 122: "L R Ls Rs C LFE", 123: "L C R Ls Rs LFE",
    124: "C L R Ls Rs LFE", 125: "L R C LFE Ls Rs Cs", 126: "L R C LFE Ls Rs Lc Rc",
    127: "C Lc Rc L R Ls Rs LFE", 128: "L R C LFE Ls Rs Rls Rrs", 129: "L R Ls Rs C LFE Lc Rc",
    131: "L R Cs", 132: "L R Ls Rs", 133: "L R LFE", 134: "L R LFE Cs", 135: "L R LFE Ls Rs",
    136: "L R C LFE", 137: "L R C LFE Cs", 138: "L R Ls Rs LFE", 139: "L R Ls Rs C Cs",
    140: "L R Ls Rs C Rls Rrs", 141: "C L R Ls Rs Cs", 142: "C L R Ls Rs Cs LFE",
    143: "C L R Ls Rs Rls Rrs", 144: "C L R Ls Rs Rls Rrs Cs", 148: "L R Ls Rs C Lc Rc",
    149: "C LFE", 150: "L C R", 151: "L C R Cs", 152: "L C R LFE", 153: "L R Cs LFE",
    154: "L C R Cs LFE", 155: "L C R Ls Rs Cs", 156: "L C R Ls Rs Rls Rrs",
    157: "L C R Ls Rs LFE Cs", 158: "L C R Ls Rs LFE Ts", 159: "L C R Ls Rs LFE Vhc",
    160: "L C R Ls Rs LFE Rls Rrs", 161: "L C R Ls Rs LFE Lc Rc", 162: "L C R Ls Rs LFE Lsd Rsd",
    164: "L C R Ls Rs LFE Vhl Vhr", 165: "L C R Ls Rs LFE Cs Ts", 166: "L C R Ls Rs LFE Cs Vhc",
    167: "L C R Ls Rs LFE Ts Vhc", 185: "L R Rls Rrs", 186: "L R C Rls Rrs",
    187: "L R C LFE Rls Rrs", 188: "L R C LFE Cs Ls Rs", 189: "L R C LFE Rls Rrs Ls Rs",
    212: "L C R Rls Rrs", 213: "L C R Rls Rrs LFE", 214: "L C R Ls Rs Cs LFE",
    215: "L C R Ls Rs Rls Rrs LFE", 216: "L R Rls Rrs C", 217: "L R Rls Rrs C LFE",
    218: "L R Ls Rs C Cs LFE", 219: "L R Rls Rrs Ls Rs C LFE",
  ]
}
