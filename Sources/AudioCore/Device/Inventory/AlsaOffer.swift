/// The values that a device takes, each list taken by itself, ascending.
///
/// Names such as `default` and `plughw:…` take almost everything, for alsa-lib converts behind them.
public struct AlsaOffer: Sendable, Hashable {
  /// Of the rates in use for audio, in hertz.
  public var sampleRates: [Int]
  /// From 1 to 64.
  public var channelCounts: [Int]
  /// Each once, in the order of ``SampleEncoding``.
  public var encodings: [SampleEncoding]
}
