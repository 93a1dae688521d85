// SPDX-License-Identifier: Apache-2.0
/// Silence between the samples of a track, told to the thread that writes it.
final class TrackGaps: Sendable {
  let queue = RealTimeQueue<TrackGap>(capacity: 1_024)
}

/// Silence before the sample at `index` of those that are written; both in samples per channel.
struct TrackGap: BitwiseCopyable {
  var index: Int64
  var length: Int64
}

/// A sink with silence where its track has gaps: a hole in the file where that is possible, else written piece by piece.
/// Writer thread, but for what comes before `write`.
final class PaddedSink: SteppingSink, WrappingSink {
  let sink: any AudioSink
  private let gaps: TrackGaps
  private var channelCount = 1
  /// Samples per channel that were written, without the silence.
  private var index: Int64 = 0
  /// How much of the gap here was written, in samples per channel.
  private var filled: Int64 = 0

  /// Samples of silence that are written at a time, across all channels.
  private static let pieceLength = 1 << 16

  init(_ sink: any AudioSink, _ gaps: TrackGaps) {
    self.sink = sink
    self.gaps = gaps
  }

  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    channelCount = format.channelCount
    return format
  }

  func ready<Sample: AudioSample>(
    _ count: Int, as type: Sample.Type
  ) throws(AudioError) -> Int {
    // Told before the samples behind it were handed over.
    while let gap = gaps.queue.first {
      guard gap.index <= index else { return Int(min(Int64(count), gap.index - index)) }
      let rest = gap.length - filled
      if try (sink as? any SilenceSink)?.appendSilence(rest) == true {
        endGap()
        continue
      }
      let piece = min(rest, Int64(max(1, Self.pieceLength / channelCount)))
      // A reader that is gone is told by the next write.
      _ = try sink.write([Sample](repeating: 0, count: Int(piece) * channelCount).span)
      filled += piece
      if filled == gap.length { endGap() }
      return 0
    }
    return count
  }

  private func endGap() {
    gaps.queue.removeFirst()
    filled = 0
  }

  /// Takes as many samples as ``ready(_:as:)`` has said.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    index += Int64(samples.count / channelCount)
    return try sink.write(samples)
  }

  func receive(_ notice: SinkNotice) throws(AudioError) { try sink.receive(notice) }
  func stop(_ reason: StopReason) throws(AudioError) { try sink.stop(reason) }
  func dispose() { sink.dispose() }
}
