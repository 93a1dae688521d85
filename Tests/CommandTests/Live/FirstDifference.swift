// SPDX-License-Identifier: Apache-2.0
/// Returns the first difference of two byte streams, in a few words; nil if they are equal.
///
/// An expectation that compares the bytes themselves would print all of them.
func firstDifference(
  _ bytes: some Collection<UInt8>, _ expected: some Collection<UInt8>
) -> String? {
  for (index, (byte, wanted)) in zip(bytes, expected).enumerated() where byte != wanted {
    return "byte \(index) of \(bytes.count) is \(byte), not \(wanted)"
  }
  return bytes.count == expected.count ? nil : "\(bytes.count) bytes, not \(expected.count)"
}
