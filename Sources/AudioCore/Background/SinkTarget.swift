/// A sink behind a lane whose units are sample frames.
final class SinkTarget<Sample: AudioSample>: BackgroundTarget {
  private let sink: any AudioSink

  init(_ sink: any AudioSink) { self.sink = sink }

  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    let samples = unsafe Span<Sample>(_unsafeElements: bytes.assumingMemoryBound(to: Sample.self))
    return try sink.write(samples)
  }

  func rest() throws(AudioError) { try sink.receive(.idle) }

  func close(_ reason: StopReason) throws(AudioError) { try sink.stop(reason) }
}
