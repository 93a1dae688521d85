import Testing

@testable import AudioCore

@Suite struct GapLogTests {
  @Test func givesTheGapsInOrderAndKeepsTheirValues() {
    let log = GapLog()
    for index in 0..<3_000 {
      let lost: Int64? = index % 2 == 0 ? nil : Int64(index)
      let gap = DeviceGap(
        cause: DeviceGap.Cause.allCases[index % 4], position: Int64(index) * 1_000_003,
        lostSamples: lost)
      log.append(gap)
      #expect(log.next() == gap)
    }
    #expect(log.next() == nil)
  }

  @Test func countersGoOnWhereTheLogIsFull() {
    let channel = DeviceChannel(
      ring: SampleRing(capacity: 1, sampleFrameSize: 1), wakeup: Wakeup())
    for _ in 0..<1_030 { channel.note(.xrun) }
    var logged = 0
    while channel.gaps.next() != nil { logged += 1 }
    #expect(logged == 1_024)
    #expect(channel.counters.statistics().xruns == 1_030)
  }
}
