// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The seeds from which a property test draws its cases: 1 to `usual`, or as many as `RAWAUDIO_CASES` says from
/// `RAWAUDIO_SEED` on.
func seeds(_ usual: UInt64) -> Range<UInt64> {
  func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
  let first = setting("RAWAUDIO_SEED") ?? 1
  return first..<first + (setting("RAWAUDIO_CASES") ?? usual)
}
