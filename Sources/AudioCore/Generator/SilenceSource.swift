/// Silence.
///
/// Takes the proposed format, else 48 kHz and one channel. Calls itself s16, so that it never makes an
/// output wider than the other sources do. Session thread only.
public final class SilenceSource: AudioSource {
  private let duration: TimePosition?
  private var stream: GeneratedStream<SilenceSignal>?

  /// - Parameter duration: how long it lasts.
  public init(duration: TimePosition? = nil) {
    self.duration = duration
  }

  public var takesProposedFormat: Bool { true }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let stream = try GeneratedStream(proposing: proposal, lasting: duration) { _, _ in
      SilenceSignal()
    }
    self.stream = stream
    return stream.description(encoding: .s16)
  }

  public func start() {}

  public func read<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus {
    stream?.read(into: &output) ?? .ended
  }

  public func stop() {}

  public func dispose() { stream = nil }
}

private struct SilenceSignal: GeneratedSignal {
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    block.update(repeating: 0)
  }
}
