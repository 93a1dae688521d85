// SPDX-License-Identifier: Apache-2.0

/// The frequencies that a ``TriggeredSink`` listens to.
public struct FrequencyBand: Sendable, Hashable {
  /// In hertz; nil = from 0 on.
  public var lowest: Double?
  /// In hertz; nil = to half the sample rate.
  public var highest: Double?

  public init(from lowest: Double?, to highest: Double?) {
    self.lowest = lowest
    self.highest = highest
  }

  /// Butterworth filters that fall by 48 dB an octave.
  func filters() throws(AudioError) -> [SoundFilter] {
    let order = SoundFilter.orders.upperBound
    var filters: [SoundFilter] = []
    if let lowest { filters.append(try SoundFilter(.highpass(order: order), frequency: lowest)) }
    if let highest { filters.append(try SoundFilter(.lowpass(order: order), frequency: highest)) }
    return filters
  }
}

/// A filtered copy of the block that a ``TriggeredSink`` looks at. Session thread only.
final class TriggerBand {
  private let filter: FilterStage<Double>
  private let block = SampleQueue<Double>(minimumCapacity: 0)
  private let filtered = SampleQueue<Double>(minimumCapacity: 0)

  /// - Throws: `invalidParameter` if a frequency is not below half the rate.
  init(_ band: FrequencyBand, _ format: StreamFormat) throws(AudioError) {
    filter = try FilterStage(format: format, band.filters())
  }

  /// Filters the next samples of the stream; the copy of the samples before is gone.
  func take<Sample: AudioSample>(_ samples: Span<Sample>) {
    block.removeAll()
    filtered.removeAll()
    block.append(atMost: samples.count) { Sample.present(samples, in: &$0) }
    let block = block
    filter.process(block.readable, into: filtered)
  }

  /// The first loud sample at places of the block, counted from their start.
  func firstIndex(in places: Range<Int>, atLeast threshold: Double) -> Int? {
    let filtered = filtered
    return Double.firstIndex(in: filtered.readable.extracting(places), atLeast: threshold)
  }

  /// The last loud sample at places of the block, counted from their start.
  func lastIndex(in places: Range<Int>, atLeast threshold: Double) -> Int? {
    let filtered = filtered
    return Double.lastIndex(in: filtered.readable.extracting(places), atLeast: threshold)
  }
}
