// SPDX-License-Identifier: Apache-2.0
/// Keeps the last samples of a stream in memory, and passes them on, as one event, when it is asked to. What was passed on
/// is not kept any longer, so no sample comes twice.
///
/// On the thread that writes.
package final class LastSamplesSink: AudioSink, ComposedSink {
  private let sink: any AudioSink
  package var behind: any AudioSink { sink }
  private let length: TimePosition
  private let control: SplittingSink.Control
  private var (single, double) = (
    DelayBuffer<Float>(expectedCount: .max), DelayBuffer<Double>(expectedCount: .max)
  )
  private var format: StreamFormat?
  /// The most samples that are kept, over all channels.
  private var most = 0
  /// The position of the next sample in the stream.
  private var position: Int64 = 0
  /// How long the next samples have waited.
  private var waited: Duration = .zero

  /// How long after a request the samples are passed on. A device that is recorded into files only is read twice a second:
  /// then all samples in front of the request are here.
  private static let lag = Duration.seconds(1)
  /// The most samples kept, over all channels: two GiB of single precision.
  private static let limit: Int64 = 1 << 29

  /// - Parameters:
  ///   - sink: gets what is passed on, the end of each event, and the position of its first sample.
  ///   - length: how much is kept.
  ///   - control: asks for the samples.
  package init(
    _ sink: any AudioSink, _ length: TimePosition, control: SplittingSink.Control
  ) {
    self.sink = sink
    self.length = length
    self.control = control
  }

  package var precision: SamplePrecision { sink.precision }
  package var room: Int { .max }

  /// - Throws: the error of the other sink; `invalidParameter` if the samples need too much memory.
  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    let kept = try length.length(at: format.sampleRate, as: "length")
    let (samples, overflows) = kept.multipliedReportingOverflow(by: Int64(format.channelCount))
    guard !overflows, samples <= Self.limit else {
      throw AudioError(
        .invalidParameter, cannot: "keep the last", "\(length)",
        because: "\(format.channelCount) channels at \(format.sampleRate) Hz take more than 2 GiB")
    }
    most = Int(samples)
    self.format = format
    return format
  }

  package func start() throws(AudioError) { try sink.start() }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    if let single = single as? DelayBuffer<Sample> { return try write(samples, keepingIn: single) }
    if let double = double as? DelayBuffer<Sample> { return try write(samples, keepingIn: double) }
    return .accepted
  }

  private func write<Sample: AudioSample>(
    _ samples: Span<Sample>, keepingIn held: DelayBuffer<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let format else { return .accepted }
    held.append(samples)
    position += Int64(samples.count / format.channelCount)
    held.drop(max(0, held.count - most))
    return control.takeRequest(before: waited + Self.lag) ? try passOn(held, format) : .accepted
  }

  /// Passes on all that is kept, a block at a time.
  private func passOn<Sample: AudioSample>(
    _ held: DelayBuffer<Sample>, _ format: StreamFormat
  ) throws(AudioError) -> SinkStatus {
    guard !held.isEmpty else { return .accepted }
    let width = format.channelCount
    try sink.receive(.leftOut(upTo: position - Int64(held.count / width)))
    let block = SampleQueue<Sample>()
    while !held.isEmpty {
      held.move(min(held.count, BlockSize.samplesPerChannel(format) * width), to: block)
      // The last of them came just now.
      let age = Duration.seconds(held.count / width) / format.sampleRate
      try sink.receive(.waited(waited + age))
      if try sink.write(block.readable) == .readerGone { return .readerGone }
      block.removeAll()
    }
    try sink.receive(.eventEnded)
    return .accepted
  }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    switch notice {
    case .waited(let duration): waited = duration
    case .leftOut(upTo: let place):
      // Samples in front of a gap and behind it are not one stretch.
      single.drop(single.count)
      double.drop(double.count)
      position = place
    case .idle, .eventEnded: break
    }
  }

  /// Drops the samples that were not asked for.
  package func stop(_ reason: StopReason) throws(AudioError) {
    if reason == .finished, let format, control.takeRequest(before: .zero) {
      if try passOn(single, format) == .accepted { _ = try passOn(double, format) }
    }
    try sink.stop(reason)
  }

  package func dispose() { sink.dispose() }
}
