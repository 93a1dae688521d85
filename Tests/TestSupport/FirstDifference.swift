// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Returns the place of the first difference; nil if there is none. Unlike `==` in an expectation, it does not search
/// for the shortest edit between both.
package func firstDifference<Value: Equatable & BitwiseCopyable>(
  _ samples: [Value], _ expected: [Value]
) -> String? {
  if areBitwiseEqual(samples, expected) { return nil }
  if let index = zip(samples, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset {
    return "sample \(index) is \(samples[index]), not \(expected[index])"
  }
  return samples.count == expected.count ? nil : "\(samples.count) samples, not \(expected.count)"
}

private func areBitwiseEqual<Value: BitwiseCopyable>(_ first: [Value], _ second: [Value]) -> Bool {
  unsafe first.withUnsafeBytes { first in
    unsafe second.withUnsafeBytes { second in
      guard first.count == second.count, let start = first.baseAddress,
        let other = second.baseAddress
      else { return false }
      return unsafe memcmp(start, other, first.count) == 0
    }
  }
}
