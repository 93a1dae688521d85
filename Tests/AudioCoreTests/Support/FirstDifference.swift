// SPDX-License-Identifier: Apache-2.0
/// Where two streams differ first; nil where they are the same. Unlike `==` in an expectation, it does not
/// look for the shortest way from one to the other.
func firstDifference<Value: Equatable>(_ samples: [Value], _ expected: [Value]) -> String? {
  if let index = zip(samples, expected).enumerated().first(where: { $1.0 != $1.1 })?.offset {
    return "sample \(index) is \(samples[index]), not \(expected[index])"
  }
  return samples.count == expected.count ? nil : "\(samples.count) samples, not \(expected.count)"
}
