// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// Stretches of a stream that are not recorded.
struct SkippingSinkTests {
  /// Collects its samples and their positions in the stream.
  private final class Collector: PlainSink {
    var samples: [Float] = []
    var events: [String] = []
    private var count = 0

    var precision: SamplePrecision { .single }
    var room: Int { .max }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
      for index in samples.indices { self.samples.append(Float(Double(samples[index]))) }
      count += samples.count
      return .accepted
    }

    func receive(_ notice: SinkNotice) throws(AudioError) {
      if case .leftOut(let position) = notice { events.append("on from \(position) at \(count)") }
    }

    func note(_ event: String) { events.append("\(event) at \(count)") }
  }

  /// Writes 1,000 mono samples in blocks and calls each closure of `names` before the sample of its key.
  private func run(
    blocks: Int, rate: Int = 1_000, _ names: [Int: (SkippingSink.Stretches) -> Void]
  ) throws -> Collector {
    let (collector, stretches) = (Collector(), SkippingSink.Stretches())
    let sink = SkippingSink(collector, stretches) { () throws(AudioError) in
      collector.note("break")
    }
    try sink.begin(StreamFormat(sampleRate: rate, channelCount: 1))
    var position = 0
    while position < 1_000 {
      names[position]?(stretches)
      // A stretch is never named after its samples were written.
      let next = names.keys.filter { $0 > position }.min() ?? 1_000
      let end = min(position + blocks, next, 1_000)
      let samples = (position..<end).map { Float($0) }
      #expect(try sink.write(samples.span) == .accepted)
      position = end
    }
    try sink.stop(.finished)
    return collector
  }

  @Test(arguments: [1, 7, 100, 1_000])
  func whatIsNamedIsLeftOut(_ blocks: Int) throws {
    let collector = try run(
      blocks: blocks,
      [
        200: { $0.begin(at: 200, 1_000) }, 450: { $0.end(at: 500) },
        // Nothing is missing, but the stream was interrupted.
        600: {
          $0.begin(at: 600, 1_000)
          $0.end(at: 600)
        },
        700: { $0.begin(at: 710, 1_000) }, 720: { $0.end(at: 735) },
      ])
    let kept = Array(0..<200) + Array(500..<710) + Array(735..<1_000)
    #expect(collector.samples == kept.map { Float($0) })
    #expect(
      collector.events == [
        "break at 200", "on from 500 at 200", "break at 300", "on from 600 at 300",
        "break at 410", "on from 735 at 410",
      ])
  }

  @Test func aStretchMayLastToTheEnd() throws {
    let collector = try run(blocks: 64, [300: { $0.begin(at: 300, 1_000) }])
    #expect(collector.samples == (0..<300).map { Float($0) })
    #expect(collector.events == ["break at 300"])
  }

  @Test func positionsAreThoseOfAnotherRate() throws {
    let collector = try run(
      blocks: 64, rate: 2_000,
      [
        0: {
          $0.begin(at: 100, 1_000)
          $0.end(at: 150)
        }
      ])
    #expect(collector.samples == (Array(0..<200) + Array(300..<1_000)).map { Float($0) })
  }
}
