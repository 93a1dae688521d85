// SPDX-License-Identifier: Apache-2.0
/// The units of AAC in packets, put together of their fragments.
struct UnitAssembly {
  /// A unit of the stream. Nil bytes if it did not come whole.
  struct Unit: Equatable {
    var bytes: [UInt8]?
    var configuration: AACConfiguration
  }

  private let format: UnitFormat
  /// Of a unit, if no configuration has come.
  private let assumed: AACConfiguration
  /// The configuration of the stream so far: that of LATM may come among the units.
  private var configuration: MuxConfiguration?
  private var fragments: [UInt8] = []
  /// Whether ``fragments`` are too long for any unit.
  private var isTooLong = false

  init(_ format: UnitFormat, for samples: StreamFormat) {
    self.format = format
    assumed = format.configuration(for: samples)
    if case .muxed(let known) = format { configuration = known }
    if case .muxedInBand(let known) = format { configuration = known }
  }

  /// Takes the next payload.
  ///
  /// - Returns: the units that it completes, as many as `part` stands for.
  mutating func take(_ payload: RawSpan, _ part: PayloadPart) -> [Unit] {
    let count = part.count / format.unitLength
    let found = units([UInt8](payload), isLast: part.count > 0)
    if let found, found.count == count { return found }
    let lost = Unit(bytes: nil, configuration: assumed)
    return Array(repeating: lost, count: count)
  }

  /// Forgets fragments whose continuation did not come.
  mutating func drop() {
    fragments = []
    isTooLong = false
  }

  private mutating func units(_ payload: [UInt8], isLast: Bool) -> [Unit]? {
    switch format {
    case .headed(let aac, let headers):
      switch headers.parts(of: payload) {
      case .units(let places):
        drop()
        return places.map { Unit(bytes: Array(payload[$0]), configuration: aac) }
      case .fragment(let place, let size):
        guard let unit = join(payload[place], isLast: isLast, atMost: size) else { return nil }
        return unit.count == size ? [Unit(bytes: unit, configuration: aac)] : nil
      case nil:
        drop()
        return nil
      }
    case .muxed: return element(payload[...], isLast: isLast, isInBand: false)
    case .muxedInBand: return element(payload[...], isLast: isLast, isInBand: true)
    }
  }

  private mutating func element(
    _ payload: ArraySlice<UInt8>, isLast: Bool, isInBand: Bool
  ) -> [Unit]? {
    let most = AACConfiguration.longestUnit * 64
    guard let bytes = join(payload, isLast: isLast, atMost: most),
      let element = MuxElement(bytes, configuration, isInBand: isInBand)
    else { return nil }
    var found = element.configuration
    guard (try? found.decide(isReplicated: false)) != nil, found.aac.isLike(assumed) else {
      return nil
    }
    configuration = found
    return element.units.map { Unit(bytes: $0, configuration: found.aac) }
  }

  /// - Returns: all fragments with the last one.
  private mutating func join(
    _ payload: ArraySlice<UInt8>, isLast: Bool, atMost limit: Int
  ) -> [UInt8]? {
    isTooLong = isTooLong || fragments.count + payload.count > limit
    if !isTooLong { fragments += payload }
    guard isLast else { return nil }
    defer { drop() }
    return isTooLong ? nil : fragments
  }
}
