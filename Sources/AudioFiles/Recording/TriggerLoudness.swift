// SPDX-License-Identifier: Apache-2.0
/// Tells the ``SoundGate`` of a ``TriggeredSink`` which samples are loud. Session thread only.
protocol TriggerLoudness: AnyObject {
  /// Hands samples over with `gate.take(_:)` when it knows them: at once, or later.
  func judge<Sample: AudioSample>(
    _ samples: Span<Sample>, for gate: SoundGate
  ) throws(AudioError) -> SinkStatus

  /// Hands the rest over at the end of a stream. Another stream may begin.
  func finish(for gate: SoundGate) throws(AudioError) -> SinkStatus

  /// The first loud sample of some at a place in the block that the gate takes.
  func first<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int?

  /// The last loud sample of some at a place in the block that the gate takes.
  func last<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int?
}

extension TriggerLoudness {
  func judge<Sample: AudioSample>(
    _ samples: Span<Sample>, for gate: SoundGate
  ) throws(AudioError) -> SinkStatus {
    try gate.take(samples)
  }

  func finish(for gate: SoundGate) throws(AudioError) -> SinkStatus { .accepted }
}

/// A sample is loud if it reaches a level.
final class LevelLoudness: TriggerLoudness {
  private let threshold: Double

  /// - Parameter level: in dBFS.
  init(_ level: Double) { threshold = Decibels.factor(level) }

  func first<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int? {
    Sample.firstIndex(in: samples, atLeast: threshold)
  }

  func last<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int? {
    Sample.lastIndex(in: samples, atLeast: threshold)
  }
}

/// A sample is loud if it reaches a level in a filtered copy of the stream.
final class BandLoudness: TriggerLoudness {
  private let threshold: Double
  private let filter: FilterStage<Double>
  private let block = SampleQueue<Double>(minimumCapacity: 0)
  private let filtered = SampleQueue<Double>(minimumCapacity: 0)

  /// - Parameter level: in dBFS.
  /// - Throws: `invalidParameter` if a frequency is not below half the rate.
  init(_ level: Double, _ band: FrequencyBand, _ format: StreamFormat) throws(AudioError) {
    threshold = Decibels.factor(level)
    filter = try FilterStage(format: format, band.filters())
  }

  func judge<Sample: AudioSample>(
    _ samples: Span<Sample>, for gate: SoundGate
  ) throws(AudioError) -> SinkStatus {
    block.removeAll()
    filtered.removeAll()
    block.append(atMost: samples.count) { Sample.present(samples, in: &$0) }
    let block = block
    filter.process(block.readable, into: filtered)
    return try gate.take(samples)
  }

  func first<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int? {
    let filtered = filtered
    let copy = filtered.readable.extracting(place..<place + samples.count)
    return Double.firstIndex(in: copy, atLeast: threshold)
  }

  func last<Sample: AudioSample>(in samples: Span<Sample>, at place: Int) -> Int? {
    let filtered = filtered
    let copy = filtered.readable.extracting(place..<place + samples.count)
    return Double.lastIndex(in: copy, atLeast: threshold)
  }
}
