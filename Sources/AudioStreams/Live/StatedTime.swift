// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The time of day of a live source's sender, if the sender states it. Any thread.
package final class StatedTime: Sendable {
  private static let unknown = Int.min
  private let nanoseconds = Atomic(unknown)

  package init() {}

  /// How much the sender's time of day is ahead of this machine's, in nanoseconds. Nil if it has stated none.
  package var lead: Int64? {
    get {
      let lead = nanoseconds.load(ordering: .relaxed)
      return lead == Self.unknown ? nil : Int64(lead)
    }
    set {
      nanoseconds.store(newValue.map { Int(clamping: $0) } ?? Self.unknown, ordering: .relaxed)
    }
  }
}
