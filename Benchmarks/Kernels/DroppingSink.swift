// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// A sink that wants a format, and does nothing with what it gets.
final class DroppingSink: AudioSink {
  private let format: StreamFormat

  init(format: StreamFormat) { self.format = format }

  var precision: SamplePrecision { .single }
  var room: Int { Int.max }

  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat { format }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) -> SinkStatus { .accepted }

  func stop(_ reason: StopReason) {}

  func dispose() {}
}
