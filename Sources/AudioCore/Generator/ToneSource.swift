/// A sine, the same in every channel.
///
/// Takes the proposed format, else 48 kHz and one channel. Its phase is exact however long it runs, and
/// what it gives does not depend on how it is read. Calls itself f32, so that a session stays in single
/// precision; read in double precision it is exact to −300 dB. Session thread only.
public final class ToneSource: AudioSource {
  private let frequency: Double
  private let amplitude: Double
  private let duration: TimePosition?
  private var stream: GeneratedStream<ToneSignal>?

  /// - Parameters:
  ///   - frequency: in hertz; above 0 and below half the sample rate, or `initialize` throws
  ///     `invalidParameter`.
  ///   - amplitude: the peak, 1 being full scale.
  ///   - duration: how long it lasts.
  public init(
    frequency: Double, amplitude: Double = defaultSignalAmplitude,
    duration: TimePosition? = nil
  ) {
    self.frequency = frequency
    self.amplitude = amplitude
    self.duration = duration
  }

  public var takesProposedFormat: Bool { true }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let stream = try GeneratedStream(proposing: proposal, lasting: duration) {
      (format, _) throws(AudioError) in
      try format.checkFrequency(frequency)
      return ToneSignal(
        frequency: frequency, amplitude: amplitude, sampleRate: format.sampleRate,
        blockLength: GeneratedStream<ToneSignal>.blockLength)
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
