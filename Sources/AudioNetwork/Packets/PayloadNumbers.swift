// SPDX-License-Identifier: Apache-2.0
/// The numbers that the packets of a stream may have as their payload types.
struct PayloadNumbers: Sendable, Equatable {
  /// The meaning of a number.
  enum Meaning: Equatable {
    case sound(PayloadFormat)
    /// Comfort noise, or an event of a telephone: the sender speaks no sound meanwhile.
    case pause
    /// The stream has no such format, or one that cannot be received.
    case other
  }

  /// Comfort noise. RFC 3389, section 4.
  static let comfortNoise: UInt8 = 13

  /// The formats by their numbers, the preferred one first. A single one without a number is that of a stream without a
  /// description.
  private let formats: [(number: UInt8?, format: PayloadFormat)]
  /// Numbers of comfort noise and of telephone events.
  private let pauses: Set<UInt8>
  /// The names of numbers in the description: `G729/8000`.
  private let names: [UInt8: String]

  /// The numbers of a description.
  init(
    _ formats: [(number: UInt8, format: PayloadFormat)], pauses: Set<UInt8>, names: [UInt8: String]
  ) {
    self.formats = formats.map { ($0.number, $0.format) }
    self.pauses = pauses.union([Self.comfortNoise])
    self.names = names
  }

  /// A stream without a description: any number may have this format.
  init(_ format: PayloadFormat) {
    formats = [(nil, format)]
    pauses = [Self.comfortNoise]
    names = [:]
  }

  /// The format of the stream. Sound of another format is converted to it.
  var preferred: PayloadFormat? { formats.first?.format }

  /// The layout of the samples in a stream that may have each of the formats, and the encoding that holds them exactly.
  var storage: (layout: SampleLayout, encoding: SampleEncoding) {
    let encodings = Set(
      formats.map(\.format).filter(isHeard).map(\.encoding))
    guard encodings.count == 1, let only = encodings.first, let preferred else {
      return (SampleLayout(.f32), encodings.contains(.l24) ? .s24 : .s16)
    }
    return (preferred.layout, only.sampleEncoding)
  }

  /// Whether sound of this format becomes that of the stream.
  private func isHeard(_ format: PayloadFormat) -> Bool {
    format == preferred || format.encoding.isSamples && format.format == preferred?.format
  }

  func meaning(of number: UInt8) -> Meaning {
    if pauses.contains(number) { return .pause }
    guard let preferred else { return .other }
    if let listed = formats.first(where: { $0.number == number }) {
      return isHeard(listed.format) ? .sound(listed.format) : .other
    }
    guard formats[0].number == nil else { return .other }
    // The numbers of G.711's two laws mean nothing else.
    if let known = PayloadFormat(staticType: number), known.format == preferred.format {
      return .sound(known)
    }
    return .sound(preferred)
  }

  /// `G729/8000`, `number 77`.
  func name(of number: UInt8) -> String {
    names[number] ?? PayloadFormat(staticType: number)?.name ?? "number \(number)"
  }

  static func == (one: Self, other: Self) -> Bool {
    one.pauses == other.pauses && one.names == other.names
      && one.formats.elementsEqual(other.formats) { $0 == $1 }
  }
}
