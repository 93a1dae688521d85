// SPDX-License-Identifier: Apache-2.0
/// Samples that a sink holds back, in the session's type. Counts are over all channels.
protocol HeldSamples: AnyObject {
  var count: Int { get }
  func keep<Sample: AudioSample>(_ samples: Span<Sample>)
  func consume(_ sampleCount: Int)
  func removeAll()
  func write(_ range: Range<Int>, to sink: any AudioSink) throws(AudioError) -> SinkStatus
  func pass(_ range: Range<Int>, to gate: SoundGate) throws(AudioError) -> SinkStatus
  /// The sum of the squares of the samples, in their precision.
  func energy(_ range: Range<Int>) -> Double
}

extension SampleQueue: HeldSamples {
  func keep<Origin: AudioSample>(_ samples: Span<Origin>) {
    append(atMost: samples.count) { output in Sample.accept(samples, into: &output) }
  }

  func write(_ range: Range<Int>, to sink: any AudioSink) throws(AudioError) -> SinkStatus {
    try sink.write(readable.extracting(range))
  }

  func pass(_ range: Range<Int>, to gate: SoundGate) throws(AudioError) -> SinkStatus {
    try gate.take(readable.extracting(range))
  }

  func energy(_ range: Range<Int>) -> Double {
    Sample.energy(of: readable.extracting(range))
  }
}

extension SamplePrecision {
  /// An empty queue for samples of this precision.
  var heldSamples: any HeldSamples {
    switch self {
    case .single: SampleQueue<Float>()
    case .double: SampleQueue<Double>()
    }
  }
}
