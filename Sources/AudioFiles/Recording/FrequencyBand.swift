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
