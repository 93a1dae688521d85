// SPDX-License-Identifier: Apache-2.0
/// How the units of AAC lie in packets.
enum UnitFormat: Sendable, Hashable {
  /// RFC 3640.
  case headed(AACConfiguration, AccessUnitHeaders)
  /// RFC 6416, with the configuration in the session description.
  case muxed(MuxConfiguration)
  /// RFC 6416, with the configuration among the units: samples per channel of a unit are assumed to be 1,024, as an
  /// encoder for a stream of this rate has them. A configuration of the session description is the first one.
  case muxedInBand(MuxConfiguration?)

  /// Samples per channel of a unit.
  var unitLength: Int {
    switch self {
    case .headed(let aac, _): aac.unitLength
    case .muxed(let configuration): configuration.aac.unitLength
    case .muxedInBand(let configuration): configuration?.aac.unitLength ?? 1_024
    }
  }

  /// The configuration of the first unit, as it is known before that comes.
  ///
  /// - Parameter format: that of the stream.
  func configuration(for format: StreamFormat) -> AACConfiguration {
    switch self {
    case .headed(let aac, _): aac
    case .muxed(let configuration): configuration.aac
    case .muxedInBand(let configuration): configuration?.aac ?? AACConfiguration(assumedFor: format)
    }
  }

  /// See ``PayloadFormat/sampleCount(of:isMarked:)``.
  func sampleCount(of payload: [UInt8], isMarked: Bool) -> Int? {
    if payload.isEmpty { return nil }
    switch self {
    case .headed(_, let headers):
      switch headers.parts(of: payload) {
      case .units(let places): return places.count * unitLength
      case .fragment: return isMarked ? unitLength : 0
      case nil: return nil
      }
    case .muxed(let configuration):
      return isMarked ? configuration.unitCount * unitLength : 0
    case .muxedInBand(let configuration):
      guard isMarked else { return 0 }
      let element = MuxElement(payload, configuration, isInBand: true)
      return (element?.units.count ?? configuration?.unitCount ?? 1) * unitLength
    }
  }
}
