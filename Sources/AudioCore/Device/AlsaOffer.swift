/// The values that a device takes, each list taken by itself, ascending.
///
/// Names such as `default` and `plughw:…` take almost everything, for alsa-lib converts behind them.
public struct AlsaOffer: Sendable, Hashable {
  /// Of the rates in use for audio, in hertz.
  public var sampleRates: [Int]
  public var channelCounts: [Int]
  public var encodings: [SampleEncoding]
}
