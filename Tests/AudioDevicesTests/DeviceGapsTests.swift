// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

/// Gaps on their way from a device thread to the session thread, and their list.
@Suite struct DeviceGapsTests {
  private func link() -> LiveRing {
    LiveRing(ring: SampleRing(capacity: 1, sampleFrameSize: 1), session: Wakeup())
  }

  @Test func givesTheGapsInOrderAndKeepsTheirValues() {
    let link = link()
    for index in 0..<3_000 {
      let lost: Int64? = index % 2 == 0 ? nil : Int64(index)
      let gap = DeviceGap(
        cause: DeviceGap.Cause.allCases[index % 4], position: Int64(index) * 1_000_003,
        lostSamplesPerChannel: lost, uncertainty: Int64(index % 3), occurrences: index)
      let mark = GapMark(gap: gap, ringPosition: Int64(index))
      let isTaken = link.tell(mark, isLast: false)
      #expect(isTaken)
      let first = link.gaps.first
      #expect(first == mark)
      link.gaps.removeFirst()
    }
    let first = link.gaps.first
    #expect(first == nil)
  }

  @Test func keepsAPlaceForTheLastGap() {
    let link = link()
    let mark = GapMark(
      gap: DeviceGap(cause: .xrun, position: 0, lostSamplesPerChannel: 0), ringPosition: 0)
    var count = 0
    while link.tell(mark, isLast: false) { count += 1 }
    #expect(count == 1_023)
    let isTaken = link.tell(mark, isLast: true)
    #expect(isTaken)
    let isTakenBeyond = link.tell(mark, isLast: true)
    #expect(!isTakenBeyond)
  }

  @Test func aListThatGrewTooLongIsSummedUp() {
    var gaps = DeviceGaps()
    for index in 0..<DeviceGaps.longestList + 10 {
      gaps.append(
        DeviceGap(
          cause: .xrun, position: Int64(index), lostSamplesPerChannel: index % 5 == 0 ? nil : 3,
          uncertainty: index % 2 == 0 ? 0 : Int64(index % 7)))
    }
    #expect(gaps.list.count == 10_000)
    #expect(gaps.list.last?.position == 9_999)
    #expect(gaps.count == 10_010)
    #expect(gaps.unlistedCount == 10)
    #expect(gaps.unknownCount == 2_002)
    #expect(gaps.lostSamplesPerChannel == 3 * 8_008)
    #expect(gaps.uncertainty == 6)
  }
}
