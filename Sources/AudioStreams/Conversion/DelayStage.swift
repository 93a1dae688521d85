// SPDX-License-Identifier: Apache-2.0
/// Delays single channels of a stream, bit for bit. The stream becomes longer by the longest delay, so no sample is lost.
///
/// Session thread only.
package final class DelayStage<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  /// In samples per channel, one for each channel.
  private let delays: [Int]
  private let longest: Int
  /// The last samples, as many as the longest delay, in front of those that come next.
  private let held = SampleQueue<Sample>()
  /// The samples per channel still to append at the end.
  private var behind: Int

  /// The most samples held, over all channels: half a GiB of double precision.
  package static var mostHeld: Int64 { 1 << 26 }

  /// - Parameters:
  ///   - format: of the stream.
  ///   - delays: in samples per channel, not negative, for the first channels; the others are not delayed.
  /// - Throws: `invalidParameter` if there are more delays than channels, or the samples need too much memory.
  package init(format: StreamFormat, delays: [Int64]) throws(AudioError) {
    let channelCount = format.channelCount
    guard delays.count <= channelCount else {
      throw AudioError(
        .invalidParameter, cannot: "delay channel", "\(delays.count)",
        because: "the stream has \(channelCount) channel\(channelCount == 1 ? "" : "s")")
    }
    let longest = delays.max() ?? 0
    let (samples, overflows) = longest.multipliedReportingOverflow(by: Int64(channelCount))
    guard !overflows, samples <= Self.mostHeld else {
      throw AudioError(
        .invalidParameter, cannot: "delay by", "\(longest) samples",
        because:
          "\(channelCount) channels can be delayed by up to \(Self.mostHeld / Int64(channelCount))",
        advice: "shift whole files with --offset or --pad")
    }
    inputFormat = format
    self.delays = delays.map { Int($0) } + Array(repeating: 0, count: channelCount - delays.count)
    self.longest = Int(longest)
    behind = self.longest
    held.appendSilence(self.longest * channelCount)
  }

  package var isFinished: Bool { behind == 0 }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    guard !input.isEmpty else { return }
    held.append(input)
    emit(input.count / inputFormat.channelCount, into: output)
  }

  package func finish(into output: SampleQueue<Sample>) {
    let count = min(behind, BlockSize.samplesPerChannel(inputFormat))
    held.appendSilence(count * inputFormat.channelCount)
    emit(count, into: output)
    behind -= count
  }

  /// - Parameter count: the samples per channel that were appended to those held.
  private func emit(_ count: Int, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let held = held
    let starts = delays.map { longest - $0 }
    let samples = held.readable
    output.append(atMost: count * width) { target in
      Sample.gather(samples, of: width, from: starts, count, into: &target)
    }
    held.consume(count * width)
  }
}
