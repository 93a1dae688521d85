// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// A sink behind another one is asked for all that it can do.
@Suite struct WrappingSinkTests {
  /// Takes silence as a hole, and at most one sample per channel at a time.
  private final class AbleSink: HandoverSink {
    var silence: Int64 = 0
    var handovers: [String] = []

    var precision: SamplePrecision { .single }
    var room: Int { .max }

    func initialize(proposing proposal: StreamFormat, wakeup: Wakeup) -> StreamFormat { proposal }
    func write<Sample: AudioSample>(_ samples: Span<Sample>) -> SinkStatus { .accepted }
    func ready<Sample: AudioSample>(_ count: Int, as type: Sample.Type) -> Int { min(count, 1) }
    func appendSilence(_ length: Int64) -> Bool {
      silence += length
      return true
    }
    func beginHandingOver() { handovers.append("begin") }
    func handOver() { handovers.append("hand over") }
    func stop(_ reason: StopReason) {}
    func dispose() {}
  }

  private final class Wrapper: WrappingSink {
    let sink: any AudioSink
    init(_ sink: any AudioSink) { self.sink = sink }
  }

  @Test func passesOnWhatASinkCanDo() throws {
    let able = AbleSink()
    let sink: any AudioSink = Wrapper(Wrapper(able))
    #expect(try sink.ready(5, as: Float.self) == 1)
    #expect(try sink.appendSilence(1_000))
    #expect(able.silence == 1_000)
    sink.handover?.beginHandingOver()
    sink.handover?.handOver()
    #expect(able.handovers == ["begin", "hand over"])
  }

  @Test func aSinkCanDoNoneOfItByDefault() throws {
    let sink: any AudioSink = Wrapper(NullSink())
    #expect(try sink.ready(5, as: Double.self) == 5)
    #expect(try !sink.appendSilence(1_000))
    #expect(sink.handover == nil)
  }
}
