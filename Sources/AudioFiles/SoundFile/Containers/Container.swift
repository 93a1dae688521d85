// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// The file format around the samples. Its header describes them.
///
/// A new container needs a row in a file beside this one, and an entry in ``allCases``.
public struct Container: RawRepresentable, Sendable, Hashable, CaseIterable {
  /// All containers, in the order of help pages.
  public static let allCases: [Container] = [
    .wav, .wavex, .rf64, .w64, .aiff, .au, .caf, .flac, .ogg, .opus, .mp3, .raw,
    .nist, .ircam, .mat4, .mat5, .htk,
    .voc, .svx, .paf, .pvf, .xi, .sds, .avr, .sd2, .mpc2k, .wve, .sox,
  ]

  /// The name that users type and read.
  public let rawValue: String
  private let facts: Facts

  /// Holds the row, so that a container is small.
  private final class Facts: Sendable {
    let row: ContainerRow

    init(_ row: ContainerRow) { self.row = row }
  }

  init(_ name: String, _ row: ContainerRow) {
    rawValue = name
    facts = Facts(row)
  }

  var row: ContainerRow { facts.row }

  /// The container with exactly this name.
  public init?(rawValue: String) {
    guard let match = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = match
  }

  /// Compares the rows: each container has its own.
  public static func == (first: Container, second: Container) -> Bool {
    first.facts === second.facts
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// The container's name in words, for lists: "Sony Wave64".
  package var title: String { row.title }

  /// Whether the container is in common use today.
  package var isUsual: Bool { row.isUsual }

  /// The container of a name typed by a user, in any case. Accepts other usual names, too (`iff`, `snd`, `aifc`,
  /// `bw64`, …).
  public init?(name: String) {
    let name = name.lowercased()
    let match = Self.allCases.first { $0.rawValue == name || $0.row.otherNames.contains(name) }
    guard let match else { return nil }
    self = match
  }

  /// The encodings that this container can be written with, plain ones first.
  public var writableEncodings: [SampleEncoding] {
    SampleEncoding.allCases.filter { canWrite($0) }
  }

  /// Whether libsndfile (or the library's own WAV code) can write `encoding` in this container.
  public func canWrite(_ encoding: SampleEncoding) -> Bool {
    largestChannelCount(for: encoding) > 0
  }

  /// The most channels of a file of this container and encoding; 0 if the encoding cannot be written.
  func largestChannelCount(for encoding: SampleEncoding) -> Int {
    let most = soundChannelCount(for: encoding)
    return (0...most).last { $0 == 0 || accepts(encoding, channelCount: $0) } ?? 0
  }

  /// The most channels for which libsndfile 1.2.0 keeps the promise of `sf_format_check`.
  private func soundChannelCount(for encoding: SampleEncoding) -> Int {
    if row.isReadOnly || row.refused.contains(encoding) { return 0 }
    return switch encoding {
    // `sf_open` refuses layers I and II. libsndfile cannot read its own 32-bit ALAC of noise.
    case .mpegLayer1, .mpegLayer2, .alac32: 0
    // With more channels, packets grow past 16,383 bytes: noise is read back wrong, and `alac_pakt_encode` overruns its
    // buffer (libsndfile issue 973).
    case .alac16, .alac20, .alac24: 1
    default: StreamFormat.channelCounts.upperBound
    }
  }

  /// The encodings that the library's own WAV code writes with any channel count, without loading libsndfile.
  static let plainWaveEncodings: Set<SampleEncoding> = [
    .u8, .s16, .s24, .s32, .f32, .f64, .ulaw, .alaw,
  ]

  private func accepts(_ encoding: SampleEncoding, channelCount: Int) -> Bool {
    if self == .wav, Self.plainWaveEncodings.contains(encoding) { return true }
    let format = majorFormat | encoding.subtype
    return SF_INFO(sampleRate: 48_000, channelCount: channelCount, format: format).isWritable
  }

  /// Whether the container can be written to a pipe, which allows no later changes.
  ///
  /// WAV streams its plain encodings only. The others were measured with libsndfile 1.2.0.
  public var canBeStreamed: Bool { row.streaming != .none }

  /// The best encoding for samples stored as `wanted`: `wanted` itself, else the narrowest encoding that holds every
  /// value, else the widest one.
  ///
  /// A lossy `wanted` counts as `s16`.
  public func defaultEncoding(for wanted: SampleEncoding) -> SampleEncoding {
    let target: SampleEncoding = wanted.isLossy ? .s16 : wanted
    if canWrite(target) { return target }
    let writable = writableEncodings
    let plain = writable.filter { $0.bytesPerSample != nil }
    let candidates = plain.isEmpty ? writable : plain
    // Integers stay integers if possible.
    let holding = candidates.filter { $0.holds(target) }
    let integers = holding.filter { $0 != .f32 && $0 != .f64 }
    if let narrowest = (integers.isEmpty ? holding : integers).min(by: {
      $0.significantBits < $1.significantBits
    }) {
      return narrowest
    }
    let lossless = candidates.filter { !$0.isLossy && $0 != .ulaw && $0 != .alaw }
    return (lossless.isEmpty ? candidates : lossless).max {
      $0.significantBits < $1.significantBits
    } ?? .s16
  }
}
