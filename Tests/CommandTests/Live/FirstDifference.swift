// SPDX-License-Identifier: Apache-2.0
/// The first difference of two streams of bytes, in a few words; nil if they are the same.
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
