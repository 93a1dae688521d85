import Testing

@testable import rawaudio

/// The rule of the observer contract, point 2.
@Suite struct SamplesPerCallTests {
  @Test(arguments: [
    (44_100, 1, 4_410), (44_100, 2, 1_024), (16_000, 1, 1_024), (48_000, 2, 960), (22_050, 1, 221),
    (44_100, 1, 441),
  ])
  func legal(_ rate: Int, _ channels: Int, _ count: Int) throws {
    try SamplesPerCall.validate(count, sampleRate: rate, channelCount: channels)
  }

  @Test(arguments: [
    (48_000, 2, 480, 960), (22_050, 1, 220, 221), (22_050, 2, 441, 442), (44_100, 2, 1_023, 882),
    (48_000, 6, 2_881, 2_880),
  ])
  func illegal(_ rate: Int, _ channels: Int, _ count: Int, _ smallest: Int) throws {
    let message = usageMessage { () throws(UsageError) in
      try SamplesPerCall.validate(count, sampleRate: rate, channelCount: channels)
    }
    #expect(message?.hasSuffix("the smallest legal value is \(smallest)") == true)
  }

  /// The smallest value is legal and nothing below it is, by the contract's own inequality.
  @Test func smallestByTheInequality() {
    for rate in [1_000, 8_000, 11_025, 22_050, 44_100, 47_999, 768_000] {
      for channels in [1, 2, 3, 64] {
        let smallest = SamplesPerCall.smallest(sampleRate: rate, channelCount: channels)
        #expect(smallest.isMultiple(of: channels))
        #expect(smallest * 100 >= rate * channels)
        #expect((smallest - channels) * 100 < rate * channels)
      }
    }
  }
}
