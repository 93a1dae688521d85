// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

@Suite struct DeviceReportTests {
  @Test(arguments: [
    ([], ""), ([1], "1"), ([1, 2], "1, 2"), ([1, 2, 3], "1-3"),
    ([1, 2, 6, 7, 8, 12], "1, 2, 6-8, 12"),
    ([44_100, 48_000], "44100, 48000"),
  ])
  func ranges(_ numbers: [Int], _ expected: String) {
    #expect(DeviceReport.ranges(numbers) == expected)
  }
}
