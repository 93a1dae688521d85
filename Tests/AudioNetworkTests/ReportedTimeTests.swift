// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioNetwork

@Suite struct ReportedTimeTests {
  private static let second: Int64 = 1_000_000_000

  @Test func aReportAloneChangesNothing() {
    var time = ReportedTime()
    let leads: [Int64] = [5, 5, 900, -70, 5, 400, 400, 400, 5].map { $0 * Self.second }
    #expect(
      leads.map { time.isCredible($0) } == [
        true, true, false, false, true, false, true, true, false,
      ])
    #expect(!time.isCredible(.max) && !time.isCredible(.min))
  }
}
