// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Holds back the silence that stands for sources before their first sample. It goes to another sink in front of that
/// sample; without one, the other sink gets nothing.
///
/// Writing thread only.
package final class AwaitedSink: WrappingSink {
  /// The sources of a stream that may have given samples. Any thread.
  package final class Sources: Sendable {
    /// Before it is set, the stream waits for none.
    private let count = Atomic(Int.max / 2)

    package init() {}

    /// Begins with the sources that are there. With none, the stream waits for one to join.
    package func begin(_ count: Int) { self.count.store(count, ordering: .releasing) }

    /// A source is away, and has given no sample.
    package func lose() { count.subtract(1, ordering: .releasing) }

    /// A source has joined, or gives its first sample next.
    package func gain() { count.add(1, ordering: .releasing) }

    fileprivate var areAwaited: Bool { count.load(ordering: .acquiring) <= 0 }
  }

  package let sink: any AudioSink
  private let sources: Sources
  private let leavesOut: Bool
  private var channelCount = 1
  /// The silence that is held back, in samples per channel.
  private var held: Int64 = 0
  /// The position of the next sample in the stream, until the first is passed on.
  private var position: Int64 = 0
  private var hasBegun = false

  /// The samples of silence written at a time, over all channels.
  private static let pieceLength: Int64 = 1 << 16

  /// - Parameters:
  ///   - sources: of the stream.
  ///   - leavesOut: whether the silence is left out, as from a recording in parts, whose names tell the time.
  package init(_ sink: any AudioSink, _ sources: Sources, leavesOut: Bool) {
    self.sink = sink
    self.sources = sources
    self.leavesOut = leavesOut
  }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    channelCount = format.channelCount
    return format
  }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    if !hasBegun {
      // A sample of an observer, for example of a generator, is one of the recording too.
      if sources.areAwaited, Self.areSilent(samples) {
        held += Int64(samples.count / channelCount)
        position += Int64(samples.count / channelCount)
        return .accepted
      }
      hasBegun = true
      if held > 0, try passOn(Sample.self) == .readerGone { return .readerGone }
    }
    return try sink.write(samples)
  }

  private func passOn<Sample: AudioSample>(
    _ type: Sample.Type
  ) throws(AudioError) -> SinkStatus {
    if leavesOut {
      try sink.receive(.leftOut(upTo: position))
      return .accepted
    }
    if try sink.appendSilence(held) { return .accepted }
    let most = max(1, Self.pieceLength / Int64(channelCount))
    while held > 0 {
      let count = min(held, most)
      let silence = [Sample](repeating: 0, count: Int(count) * channelCount)
      if try sink.write(silence.span) == .readerGone { return .readerGone }
      held -= count
    }
    return .accepted
  }

  package func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    if hasBegun { return try sink.appendSilence(length) }
    return false
  }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    if case .leftOut(upTo: let position) = notice { self.position = position }
    try sink.receive(notice)
  }

  private static func areSilent<Sample: AudioSample>(_ samples: Span<Sample>) -> Bool {
    switch samples.known {
    case .single(let samples): areZero(samples)
    case .double(let samples): areZero(samples)
    }
  }

  private static func areZero<Sample: BinaryFloatingPoint>(_ samples: Span<Sample>) -> Bool {
    for index in samples.indices where samples[index] != 0 { return false }
    return true
  }
}
