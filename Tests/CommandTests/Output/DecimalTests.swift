// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// Numbers in texts: a fixed number of digits, never a negative zero.
@Suite struct DecimalTests {
  @Test(arguments: [
    (-12.34, 1, "-12.3"), (-12.35, 1, "-12.4"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"),
    (9.96, 1, "10.0"), (3, 2, "3.00"), (-3.005e2, 0, "-301"), (0.0625, 3, "0.063"),
    (-.infinity, 1, "-inf"), (.infinity, 1, "inf"), (.nan, 1, "nan"), (-.nan, 2, "nan"),
  ])
  func digits(_ value: Double, _ digits: Int, _ expected: String) {
    #expect(value.decimal(digits) == expected)
  }

  @Test(arguments: [
    (-12.34, 1, "-12.3"), (-0.001, 2, "0.0"), (1.5, 2, "1.5"), (100, 2, "100.0"),
    (2.345678, 3, "2.346"),
  ])
  func rounded(_ value: Double, _ digits: Int, _ expected: String) {
    #expect("\(value.rounded(toDigits: digits))" == expected)
  }
}
