// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension String {
  /// A line of JSON without its time of day, which RFC 3339 must allow and which must lie in the last hour.
  func withoutTime(sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let match = try #require(
      firstMatch(of: /,"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}([+-]\d\d:\d\d)"/),
      "\(self)", sourceLocation: sourceLocation)
    let time = try #require(
      ISO8601DateFormatter().date(from: "\(match.1)\(match.2)"), sourceLocation: sourceLocation)
    #expect(
      (-1...3_600).contains(Date().timeIntervalSince(time)), sourceLocation: sourceLocation)
    return replacingCharacters(in: match.range, with: "")
  }
}
