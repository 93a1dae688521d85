// SPDX-License-Identifier: Apache-2.0
/// Passes everything on to another sink. Tells the format that it settles, and its completion if it got samples.
///
/// Writing thread only.
package final class NotingSink: WrappingSink {
  package let sink: any AudioSink
  private let onFormat: (StreamFormat) -> Void
  private let onCompletion: (Int64) -> Void
  private var channelCount = 1
  private var samplesPerChannel: Int64 = 0

  /// - Parameter onCompletion: called once with the samples per channel, unless there were none.
  package init(
    _ sink: any AudioSink, onFormat: @escaping (StreamFormat) -> Void = { _ in },
    onCompletion: @escaping (Int64) -> Void = { _ in }
  ) {
    (self.sink, self.onFormat, self.onCompletion) = (sink, onFormat, onCompletion)
  }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    channelCount = format.channelCount
    onFormat(format)
    return format
  }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    let status = try sink.write(samples)
    samplesPerChannel += Int64(samples.count / channelCount)
    return status
  }

  package func appendSilence(_ length: Int64) throws(AudioError) -> Bool {
    guard try sink.appendSilence(length) else { return false }
    samplesPerChannel += length
    return true
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    try sink.stop(reason)
    if reason == .finished, samplesPerChannel > 0 { onCompletion(samplesPerChannel) }
  }
}
