// SPDX-License-Identifier: Apache-2.0
/// The headers of units in a packet of `mpeg4-generic`. Source: RFC 3640, sections 3.2.1 and 4.1.
struct AccessUnitHeaders: Sendable, Hashable {
  /// The parts of a payload.
  enum Parts: Equatable {
    /// Whole units, by their places in the payload.
    case units([Range<Int>])
    /// A part of a unit of `size` bytes.
    case fragment(Range<Int>, size: Int)
  }

  /// The most units of a packet: a unit of 1,024 samples at 8 kHz is 128 ms.
  static let mostUnits = 64

  /// Bits of the fields; 0 if a header has none.
  private let sizeLength: Int
  private let indexLength: Int
  private let indexDeltaLength: Int
  private let compositionLength: Int
  private let decodingLength: Int
  private let streamStateLength: Int
  private let auxiliaryLength: Int
  private let statesRandomAccess: Bool
  /// Bytes of every unit; 0 if the headers state them.
  private let constantSize: Int

  /// - Throws: `unsupported` for another mode than that of AAC, and for interleaving.
  init(_ parameters: FormatParameters) throws(AudioError) {
    let mode = parameters["mode"]?.lowercased() ?? "none"
    guard let widths = ["aac-hbr": (13, 3), "aac-lbr": (6, 2)][mode] else {
      throw Self.refusal("its mode is \(mode)", advice: "accepted are AAC-hbr and AAC-lbr")
    }
    // Section 3.3.6: without these two, units are not interleaved.
    for name in ["maxdisplacement", "de-interleavebuffersize"] {
      guard try parameters.number(name, upTo: .max) ?? 0 == 0 else {
        throw Self.refusal("its units are interleaved (\(name))")
      }
    }
    constantSize = try parameters.number("constantsize", upTo: AACConfiguration.longestUnit) ?? 0
    sizeLength = try parameters.number("sizelength", upTo: 16) ?? (constantSize > 0 ? 0 : widths.0)
    indexLength = try parameters.number("indexlength", upTo: 16) ?? widths.1
    indexDeltaLength = try parameters.number("indexdeltalength", upTo: 16) ?? widths.1
    compositionLength = try parameters.number("ctsdeltalength", upTo: 32) ?? 0
    decodingLength = try parameters.number("dtsdeltalength", upTo: 32) ?? 0
    streamStateLength = try parameters.number("streamstateindication", upTo: 32) ?? 0
    auxiliaryLength = try parameters.number("auxiliarydatasizelength", upTo: 16) ?? 0
    statesRandomAccess = try parameters.number("randomaccessindication", upTo: 1) == 1
  }

  private var hasHeaders: Bool {
    statesRandomAccess
      || sizeLength + indexLength + indexDeltaLength + compositionLength + decodingLength
        + streamStateLength > 0
  }

  /// - Returns: nil for a faulty payload, for an empty unit, and for interleaved units.
  func parts(of payload: [UInt8]) -> Parts? {
    var bits = BitReader(payload)
    guard let sizes = readSizes(&bits) else { return nil }
    if auxiliaryLength > 0 {
      bits.skip(bits.read(auxiliaryLength))
      bits.skip(bits.left & 7)
    }
    if bits.hasFailed { return nil }
    return place(sizes, from: bits.position / 8, in: payload.count)
  }

  /// - Returns: the stated size of every unit; no sizes if there are no headers.
  private func readSizes(_ bits: inout BitReader) -> [Int]? {
    if !hasHeaders { return [] }
    let end = bits.read(16) + 16
    guard end <= bits.left + bits.position else { return nil }
    var sizes: [Int] = []
    while bits.position < end {
      guard sizes.count < Self.mostUnits else { return nil }
      let size = sizeLength > 0 ? bits.read(sizeLength) : constantSize
      // An index says that units between them come elsewhere.
      if bits.read(sizes.isEmpty ? indexLength : indexDeltaLength) != 0 { return nil }
      if compositionLength > 0, bits.readFlag() { bits.skip(compositionLength) }
      if decodingLength > 0, bits.readFlag() { bits.skip(decodingLength) }
      if statesRandomAccess { bits.skip(1) }
      bits.skip(streamStateLength)
      if bits.hasFailed || bits.position > end { return nil }
      sizes.append(size)
    }
    bits.skip(bits.left & 7)
    return sizes.isEmpty ? nil : sizes
  }

  private func place(_ stated: [Int], from start: Int, in count: Int) -> Parts? {
    var sizes = stated
    if sizeLength == 0 {
      // Without sizes a packet holds one unit, or several of the constant size.
      let size = constantSize > 0 ? constantSize : count - start
      guard size > 0, (count - start) / size <= Self.mostUnits else { return nil }
      sizes = Array(repeating: size, count: max((count - start) / size, 1))
    }
    guard sizes.allSatisfy({ $0 > 0 && $0 <= AACConfiguration.longestUnit }) else { return nil }
    if sizes.count == 1, sizes[0] > count - start {
      return start < count ? .fragment(start..<count, size: sizes[0]) : nil
    }
    guard sizes.reduce(start, +) <= count else { return nil }
    var next = start
    return .units(
      sizes.map { size in
        defer { next += size }
        return next..<next + size
      })
  }

  private static func refusal(_ reason: String, advice: String? = nil) -> AudioError {
    AudioError(.unsupported, cannot: "decode", "MPEG4-GENERIC", because: reason, advice: advice)
  }
}
