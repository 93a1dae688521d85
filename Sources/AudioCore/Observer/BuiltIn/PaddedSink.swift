// SPDX-License-Identifier: Apache-2.0
/// The gaps of a track, queued for the thread that writes it.
final class TrackGaps: Sendable {
  let queue = RealTimeQueue<TrackGap>(capacity: 1_024)
}

/// Silence before the written sample at `index`; both in samples per channel.
struct TrackGap: BitwiseCopyable {
  var index: Int64
  var length: Int64
}

/// A sink that writes silence in the gaps of its track: a hole in the file if possible, else pieces of zeros. Writer
/// thread, except for the calls before `write`.
final class PaddedSink: WrappingSink {
  let sink: any AudioSink
  private let gaps: TrackGaps
  private var channelCount = 1
  /// The samples per channel written, without the silence.
  private var index: Int64 = 0
  /// The written part of the current gap, in samples per channel.
  private var filled: Int64 = 0

  /// The samples of silence written at a time, across all channels.
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
    // A gap enters the queue before the samples behind it.
    while let gap = gaps.queue.first {
      guard gap.index <= index else { return Int(min(Int64(count), gap.index - index)) }
      let rest = gap.length - filled
      if try sink.appendSilence(rest) {
        endGap()
        continue
      }
      let piece = min(rest, Int64(max(1, Self.pieceLength / channelCount)))
      // The next write reports a reader that is gone.
      _ = try sink.write([Sample](repeating: 0, count: Int(piece) * channelCount).span)
      filled += piece
      if filled == gap.length { endGap() }
      return 0
    }
    return count
  }

  /// The places of the gaps count written samples.
  func appendSilence(_ length: Int64) -> Bool { false }

  private func endGap() {
    gaps.queue.removeFirst()
    filled = 0
  }

  /// Writes as many samples as ``ready(_:as:)`` returned.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    index += Int64(samples.count / channelCount)
    return try sink.write(samples)
  }
}
