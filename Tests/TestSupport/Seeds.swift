// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The seeds from which a property test draws its cases: 1 to `usual`, or `TESTS_CASES` of them from `TESTS_SEED` on.
package func seeds(_ usual: UInt64) -> Range<UInt64> {
  func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
  let first = setting("TESTS_SEED") ?? 1
  return first..<first + (setting("TESTS_CASES") ?? usual)
}
