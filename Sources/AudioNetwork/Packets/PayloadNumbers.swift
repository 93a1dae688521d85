// SPDX-License-Identifier: Apache-2.0
/// The numbers by which the packets of a stream state their formats. A sender may use any that its description lists, and
/// change among them (RFC 3264, section 5.1).
struct PayloadNumbers: Sendable, Hashable {
  /// The meaning of a number.
  enum Meaning: Hashable {
    case sound(PayloadFormat)
    /// Comfort noise, or an event of a telephone: the sender speaks no sound meanwhile.
    case pause
    /// The stream has no such format, or one that cannot be received.
    case other
  }

  /// Comfort noise. RFC 3551, table 4.
  private static let comfortNoise: UInt8 = 13

  /// The numbers that can be received, in the order of preference.
  private(set) var order: [UInt8] = []
  /// Their formats.
  private(set) var formats: [UInt8: PayloadFormat] = [:]
  /// The numbers of comfort noise (RFC 3389) and of telephone events (RFC 4733): packets without samples.
  private(set) var auxiliary: Set<UInt8> = [comfortNoise]
  /// The format of any number, if no description lists them.
  private let stated: PayloadFormat?
  private var names: [UInt8: String] = [comfortNoise: "CN/8000"]

  /// The numbers of a description, none yet.
  init() { stated = nil }

  /// A stream without a description: any number may have this format.
  init(_ stated: PayloadFormat) { self.stated = stated }

  /// - Parameters:
  ///   - name: `L24/48000/2`. Nil if the description gives none.
  ///   - format: nil if it cannot be received.
  mutating func list(_ number: UInt8, _ name: String?, _ format: PayloadFormat?) {
    if let name { names[number] = name }
    switch name?.prefix(while: { $0 != "/" }).lowercased() {
    case "cn", "telephone-event", "tone":
      if formats[number] == nil { auxiliary.insert(number) }
    default:
      guard let format else { return }
      auxiliary.remove(number)
      if formats[number] == nil { order.append(number) }
      formats[number] = format
    }
  }

  /// The format of the stream; sound of another one becomes this. Nil if none can be received.
  var preferred: PayloadFormat? { stated ?? order.first.flatMap { formats[$0] } }

  /// Whether sound of this format becomes that of the stream.
  private func isHeard(_ format: PayloadFormat) -> Bool {
    format == preferred || format.encoding.isSamples && format.format == preferred?.format
  }

  func meaning(of number: UInt8) -> Meaning {
    if auxiliary.contains(number) { return .pause }
    guard let stated else {
      return formats[number].flatMap { isHeard($0) ? .sound($0) : nil } ?? .other
    }
    // The numbers of G.711's two laws mean nothing else.
    if let known = PayloadFormat(staticType: number), known.format == stated.format {
      return .sound(known)
    }
    return .sound(stated)
  }

  /// The layout of the samples in a stream that may have each of the formats, and the encoding that holds them exactly.
  var storage: (layout: SampleLayout, encoding: SampleEncoding) {
    let heard = Set(formats.values.filter(isHeard).map(\.encoding))
    guard heard.count < 2, let preferred else {
      return (SampleLayout(.f32), heard.contains(.l24) ? .s24 : .s16)
    }
    return (preferred.layout, preferred.encoding.sampleEncoding)
  }

  /// The name of a number, for messages: `telephone-event/8000`; `number 77` for one without a name.
  func name(of number: UInt8) -> String {
    names[number] ?? PayloadFormat(staticType: number)?.name ?? "number \(number)"
  }
}
