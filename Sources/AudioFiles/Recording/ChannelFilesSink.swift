// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Gives each channel of a stream to a sink of its own, as a stream of one channel.
///
/// On the thread that writes.
package final class ChannelFilesSink: AudioSink {
  package let precision: SamplePrecision
  private let channelCount: Int?
  private let makeSinks: (Int) throws(AudioError) -> [any AudioSink]
  /// Called before each write: refreshes the values that the sinks share. May be changed until `initialize`.
  package var onWrite: () -> Void = {}
  /// Asks for new parts of all channels, and ends the present ones; nil without parts. May be changed until `initialize`.
  package var parts: (control: SplittingSink.Control, end: () throws(AudioError) -> Void)?
  /// How long the next samples have waited.
  private var waited: Duration = .zero
  private var sinks: [any AudioSink] = []
  private let (single, double) = (SampleQueue<Float>(), SampleQueue<Double>())

  /// - Parameters:
  ///   - precision: of the sinks.
  ///   - channelCount: the channels to write; nil = the stream's.
  ///   - makeSinks: makes the sinks of so many channels, in order.
  package init(
    _ precision: SamplePrecision, channelCount: Int?,
    making makeSinks: @escaping (Int) throws(AudioError) -> [any AudioSink]
  ) {
    self.precision = precision
    self.channelCount = channelCount
    self.makeSinks = makeSinks
  }

  package var room: Int {
    let least = sinks.map(\.room).min() ?? .max
    return least.multipliedReportingOverflow(by: max(1, sinks.count)).overflow
      ? .max : least * max(1, sinks.count)
  }

  /// - Throws: the error of the first sink that cannot begin; the others are disposed of then.
  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: nil, channelCount: channelCount)
    let channel = try StreamFormat(sampleRate: format.sampleRate, channelCount: 1)
    sinks = try makeSinks(format.channelCount)
    var rate = format.sampleRate
    for sink in sinks { rate = try sink.initialize(proposing: channel, wakeup: wakeup).sampleRate }
    return try StreamFormat(sampleRate: rate, channelCount: sinks.count)
  }

  package func start() throws(AudioError) { for sink in sinks { try sink.start() } }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    if let single = single as? SampleQueue<Sample> { return try write(samples, through: single) }
    if let double = double as? SampleQueue<Sample> { return try write(samples, through: double) }
    return .accepted
  }

  private func write<Sample: AudioSample>(
    _ samples: Span<Sample>, through queue: SampleQueue<Sample>
  ) throws(AudioError) -> SinkStatus {
    var status = SinkStatus.accepted
    onWrite()
    if let parts, parts.control.takeRequest(before: waited) { try parts.end() }
    for (channel, sink) in sinks.enumerated() {
      queue.removeAll()
      queue.append(atMost: samples.count / sinks.count) { output in
        Sample.take(channel, of: sinks.count, from: samples, into: &output)
      }
      if try sink.write(queue.readable) == .readerGone { status = .readerGone }
    }
    return status
  }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    if case .waited(let duration) = notice { waited = duration }
    for sink in sinks { try sink.receive(notice) }
  }

  /// Stops all sinks, even if one fails.
  ///
  /// - Throws: the first error.
  package func stop(_ reason: StopReason) throws(AudioError) {
    var failure: AudioError?
    for sink in sinks {
      do {
        try sink.stop(failure == nil ? reason : .abandoned)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  package func dispose() { for sink in sinks { sink.dispose() } }
}

extension RecordingClock {
  /// A clock of the machine that stands still between two calls of `refresh`, so that several streams of one device read
  /// one time.
  package static func shared(
    lead: @escaping @Sendable () -> Int64
  ) -> (clock: RecordingClock, refresh: @Sendable () -> Void) {
    let moment = SharedMoment()
    return (
      .live({ moment.value.withLock { $0 } }, lead: lead), { moment.value.withLock { $0 = .now } }
    )
  }
}

/// The last reading of the clocks.
private final class SharedMoment: Sendable {
  let value = Mutex(RecordingClock.Moment.now)
}
