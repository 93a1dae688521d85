/// An exponential sine sweep over its whole duration, the same in every channel.
///
/// Takes the proposed format, else 48 kHz and one channel. What it gives does not depend on how it is
/// read. Calls itself f32, so that a session stays in single precision. Session thread only.
public final class SweepSource: AudioSource {
  private let first: Double
  private let last: Double
  private let amplitude: Double
  private let duration: TimePosition?
  private var stream: GeneratedStream<SweepSignal>?

  /// - Parameters:
  ///   - first: the frequency at the start in hertz; above 0 and below half the sample rate, or
  ///     `initialize` throws `invalidParameter`.
  ///   - last: the frequency at the end, likewise; it may be the lower one.
  ///   - amplitude: the peak, 1 being full scale.
  ///   - duration: of the sweep; where it is nil, `initialize` throws `invalidParameter`.
  public init(
    from first: Double, to last: Double, amplitude: Double = defaultSignalAmplitude,
    duration: TimePosition?
  ) {
    self.first = first
    self.last = last
    self.amplitude = amplitude
    self.duration = duration
  }

  public var takesProposedFormat: Bool { true }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let stream = try GeneratedStream(proposing: proposal, lasting: duration) {
      (format, length) throws(AudioError) in
      try format.checkFrequency(first)
      try format.checkFrequency(last)
      guard let length else {
        throw AudioError(
          .invalidParameter, cannot: "generate", "a sweep", because: "it needs a duration")
      }
      return SweepSignal(
        from: first, to: last, amplitude: amplitude, sampleRate: format.sampleRate,
        samplesPerChannel: length, blockLength: GeneratedStream<SweepSignal>.blockLength)
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
