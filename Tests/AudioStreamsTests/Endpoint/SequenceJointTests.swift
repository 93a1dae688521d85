// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The joints of a sequence: exact lengths, silence, and overlapping ends.
@Suite struct SequenceJointTests {
  private func join(
    _ items: [any AudioSource], _ joint: SequenceJoint = .direct, rate: Int? = nil,
    channels: Int? = nil
  ) throws -> (samples: [Double], source: SequenceSource, length: Int64?) {
    let session = Session()
    let source = SequenceSource(items, joint: joint)
    source.sampleRate = rate
    source.channelCount = channels
    try session.setLocal(source)
    let sink = try session.collect(.publish, precision: .double)
    var length: Int64?
    session.onStart = { length = $0.sources.first?.description.samplesPerChannel }
    _ = try session.run()
    return (sink.samples, source, length)
  }

  /// The total is ⌈the exact sum of the durations · rate⌉, without a sample more per source.
  @Test func theLengthIsTheExactSumRoundedUp() throws {
    for seed in seeds(60) {
      var draw = Draw(seed: seed)
      let rates = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000]
      let parts = (0..<draw.number(in: 1...8)).map { _ in
        (rate: draw.element(rates), length: draw.number(in: 0...900))
      }
      let items = try parts.map {
        try GivenSource(Array(repeating: 0.25, count: $0.length), rate: $0.rate, pieces: [97, 1])
      }
      let rate = parts.map { $0.rate }.max() ?? 0
      // Over 7,056,000, which all rates divide.
      let sum = parts.reduce(0) { $0 + $1.length * (7_056_000 / $1.rate) } * rate
      let expected = (sum + 7_055_999) / 7_056_000
      let (samples, _, length) = try join(items)
      #expect(samples.count == expected, "seed \(seed)")
      #expect(length == Int64(expected), "seed \(seed)")
    }
  }

  /// A recording cut into files is converted like the uncut one.
  @Test func partsOfOneRecordingAreConvertedAsOne() throws {
    let samples = Noise.integers(2 * 30_000, seed: 3)
    func parts(_ cuts: [Int]) throws -> [any AudioSource] {
      try zip([0] + cuts, cuts + [30_000]).map {
        try GivenSource(Array(samples[2 * $0..<2 * $1]), rate: 44_100, channels: 2, pieces: [777])
      }
    }
    // A following source of another format makes the sequence convert.
    func other() throws -> GivenSource {
      try GivenSource([0, 0], rate: 48_000, channels: 2)
    }
    let whole = try join(try parts([]) + [other()]).samples
    let cut = try join(try parts([1, 9_999, 20_000]) + [other()]).samples
    #expect(firstDifference(cut, whole) == nil)
  }

  @Test func aGapIsSilence() throws {
    let one = Noise.integers(2 * 1_000, seed: 1)
    let two = Noise.integers(2 * 500, seed: 2)
    let (samples, source, length) = try join(
      [
        try GivenSource(one, channels: 2, pieces: [33]),
        try GivenSource(two, channels: 2, pieces: [10]), try GivenSource(one, channels: 2),
      ], .gap(.samples(70_001)))
    let gap = Array(repeating: 0.0, count: 2 * 70_001)
    #expect(firstDifference(samples, one + gap + two + gap + one) == nil)
    #expect(length == Int64(samples.count / 2))
    #expect(source.beginnings == [0, 71_001, 141_502])
  }

  /// Every sample of a crossfade is within half a unit of the formula; all other samples are unchanged.
  @Test(arguments: FadeCurve.allCases, [1, 100, 400])
  func aCrossfadeIsExact(_ curve: FadeCurve, _ overlap: Int) throws {
    let parts = (1...3).map { Noise.integers(2 * 800, seed: UInt64($0)) }
    let session = Session()
    let source = SequenceSource(
      try parts.map {
        try GivenSource($0, channels: 2, encoding: .s16, pieces: [300, 7])
      }, joint: .crossfade(.samples(Int64(overlap)), curve))
    try session.setLocal(source)
    let outputs = try ExactSamples.run(session, .publish, as: .s16)
    var exact = parts[0].map { FixedPoint($0) }
    for part in parts.dropFirst() {
      let begin = exact.count - 2 * overlap
      for index in 0..<2 * overlap {
        let place = Double(index / 2) / Double(overlap)
        let old = exact[begin + index]
        var sum = FixedPoint(
          Double(old.count) * 0x1p-122, cut(curve.factor(at: 1 - place)))
        sum += FixedPoint(part[index], cut(curve.factor(at: place)))
        exact[begin + index] = sum
      }
      exact += part.dropFirst(2 * overlap).map { FixedPoint($0) }
    }
    #expect(outputs.count == exact.count)
    #expect(SampleLayout(.s16).countOfInexact(outputs, exact, slack: -52) == 0)
    #expect(source.beginnings == [0, 800 - Int64(overlap), 2 * (800 - Int64(overlap))])
  }

  /// A factor below 2^−40 silences a sample and does not fit into the fixed point.
  private func cut(_ factor: Double) -> Double { factor < 0x1p-40 ? 0 : factor }

  @Test func aSourceIsLongerThanItsCrossfades() throws {
    let lengths = [500, 199, 500]
    for isKnown in [true, false] {
      let items = try lengths.map { length -> any AudioSource in
        let source = try GivenSource(Array(repeating: 0.5, count: length))
        return isKnown ? source : WrappedSource(source) { $0.samplesPerChannel = 10_000 }
      }
      let error = #expect(throws: AudioError.self) {
        try join(items, .crossfade(.samples(100)))
      }
      #expect(error?.kind == .invalidParameter)
      #expect(error?.subject == "2")
    }
  }

  @Test func takesTheFormatThatIsAskedForWhereSourcesDiffer() throws {
    let items = [
      try GivenSource(Array(repeating: 0.25, count: 882), rate: 44_100, channels: 2),
      try GivenSource(Array(repeating: 0.25, count: 480), rate: 48_000, channels: 1),
    ]
    let samples = try join(items, rate: 16_000, channels: 1).samples
    #expect(samples.count == 320)
  }

  @Test func generatedSourcesFollowTheOthers() throws {
    let tone = TrimmedSource(
      SilenceSource(), start: .samples(0), duration: .time(.milliseconds(10)))
    let samples = try join([tone, try GivenSource([0.5], rate: 44_100)]).samples
    #expect(samples.count == 442)
  }
}
