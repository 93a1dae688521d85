/// Noise; each channel has its own.
///
/// Takes the proposed format, else 48 kHz and one channel. The same seed gives the same noise, however
/// it is read. Calls itself f32, so that a session stays in single precision. Session thread only.
public final class NoiseSource: AudioSource {
  /// The shape of the spectrum.
  public enum Colour: String, Sendable, CaseIterable {
    /// Equal power in equal bands.
    case white
    /// Equal power in every octave.
    case pink
  }

  private let colour: Colour
  private let seed: UInt64
  private let amplitude: Double
  private let duration: TimePosition?
  private var stream: GeneratedStream<NoiseSignal>?

  /// - Parameters:
  ///   - colour: the shape of the spectrum.
  ///   - seed: picks one of 2^64 noises.
  ///   - amplitude: 1 being full scale: white noise is spread evenly between −`amplitude` and
  ///     +`amplitude`. Pink noise has a root mean square of `amplitude` / 5, so that a sample beyond
  ///     `amplitude` is rarer than one in a million.
  ///   - duration: how long it lasts.
  public init(
    _ colour: Colour, seed: UInt64 = 0, amplitude: Double = defaultSignalAmplitude,
    duration: TimePosition? = nil
  ) {
    self.colour = colour
    self.seed = seed
    self.amplitude = amplitude
    self.duration = duration
  }

  public var takesProposedFormat: Bool { true }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let stream = try GeneratedStream(proposing: proposal, lasting: duration) {
      (format, _) throws(AudioError) in
      NoiseSignal(
        white: WhiteNoiseSignal(seed: seed, amplitude: amplitude),
        pink: colour == .pink ? PinkFilter(channelCount: format.channelCount) : nil)
    }
    self.stream = stream
    return stream.description(encoding: .f32)
  }

  public func start() {}

  public func read<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus {
    stream?.read(into: &output) ?? .ended
  }

  public func stop() {}

  public func dispose() { stream = nil }
}

private struct NoiseSignal: GeneratedSignal {
  var white: WhiteNoiseSignal
  var pink: PinkFilter?

  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    white.fill(&block, channelCount: channelCount, from: index)
    pink?.apply(to: &block)
  }
}
