/// A number of bytes: `2GiB` (1024³), `700MB` (1000²), `1.5GB`.
struct FileSize: Sendable, Hashable {
  var bytes: Int64

  private static let units: [(name: String, bytes: Double)] = [
    ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("tib", 0x1p40),
    ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12),
  ]

  /// - Returns: nil where the text does not end in a unit.
  init?(_ text: String) throws(InvalidValue) {
    let word = text.lowercased()
    guard let unit = Self.units.first(where: { word.hasSuffix($0.name) }) else { return nil }
    guard let number = Double(decimal: String(word.dropLast(unit.name.count))), number > 0,
      number * unit.bytes < 0x1p60
    else {
      throw InvalidValue("a size is a number above 0 and a unit, for example 2GiB, 700MB or 64KiB")
    }
    bytes = Int64((number * unit.bytes).rounded(.down))
  }
}
