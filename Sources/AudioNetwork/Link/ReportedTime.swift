// SPDX-License-Identifier: Apache-2.0
/// The time of day that a sender reports: a report counts if it agrees with the last one that counted, or with the one
/// before it. A forged or damaged report alone changes nothing.
struct ReportedTime {
  /// In nanoseconds. Reports are late by as much as the network delays them.
  private static let agreement: Int64 = 1_000_000_000

  private var counted: Int64?
  private var last: Int64?

  /// Whether a report counts.
  ///
  /// - Parameter lead: how much the sender's time of day is ahead of this machine's, in nanoseconds.
  mutating func isCredible(_ lead: Int64) -> Bool {
    let reference = [counted, last].compactMap(\.self)
    last = lead
    guard reference.isEmpty || reference.contains(where: { agrees($0, lead) }) else { return false }
    counted = lead
    return true
  }

  private func agrees(_ one: Int64, _ other: Int64) -> Bool {
    let (distance, isBeyond) = one.subtractingReportingOverflow(other)
    return !isBeyond && distance.magnitude < Self.agreement.magnitude
  }
}
