// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A place on the Earth, in degrees of WGS 84: north and east are positive.
struct Location: Sendable, Hashable {
  var latitude: Double
  var longitude: Double
  /// The two numbers as they were given.
  fileprivate(set) var texts: [String]
}

extension ValueSyntax<Location> {
  /// `52.5,13.4`.
  static let location = ValueSyntax(
    name: "latitude,longitude", isNumeric: true,
    otherwise:
      "a location is its latitude and longitude in degrees, as in 52.5,13.4 or -36.85,174.76"
  ) { text in
    let texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let numbers = texts.compactMap { Double(decimal: $0) }
    guard texts.count == 2, numbers.count == 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180
    else { return nil }
    return Location(latitude: numbers[0], longitude: numbers[1], texts: texts)
  }
}

extension Location {
  /// The value of GUANO's field `Loc Position`.
  var guanoPosition: String { texts.joined(separator: " ") }
}
