// SPDX-License-Identifier: Apache-2.0
/// The numbers by which the packets of a stream state their formats. A sender may use any that its description lists, and
/// change among them (RFC 3264, section 5.1).
struct PayloadNumbers: Sendable, Hashable {
  /// Comfort noise. RFC 3551, table 4.
  private static let comfortNoise: UInt8 = 13

  /// The numbers that can be received, in the order of preference.
  private(set) var order: [UInt8] = []
  /// Their formats.
  private(set) var formats: [UInt8: PayloadFormat] = [:]
  /// The numbers of comfort noise (RFC 3389) and of telephone events (RFC 4733): packets without samples.
  private(set) var auxiliary: Set<UInt8> = [comfortNoise]
  /// Whether a description lists the numbers: no others may come.
  private(set) var isListed = false
  private var names: [UInt8: String] = [comfortNoise: "CN/8000"]

  /// - Parameters:
  ///   - name: `L24/48000/2`. Nil if the description gives none.
  ///   - format: nil if it cannot be received.
  mutating func list(_ number: UInt8, _ name: String?, _ format: PayloadFormat?) {
    isListed = true
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

  /// The format that is preferred. Nil if none can be received.
  var preferred: PayloadFormat? { order.first.flatMap { formats[$0] } }

  /// The name of a number, for messages: `telephone-event/8000`; `number 77` for one without a name.
  func name(of number: UInt8) -> String {
    names[number] ?? PayloadFormat(staticType: number)?.name ?? "number \(number)"
  }
}
