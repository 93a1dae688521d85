// SPDX-License-Identifier: Apache-2.0
/// Adds silence before and after a stream, a block at a time.
package final class PadStage<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  /// The silence still to add, in samples per channel.
  private var before: Int64
  private var behind: Int64

  /// - Parameters:
  ///   - before: samples per channel of silence in front.
  ///   - behind: samples per channel of silence at the end.
  package init(format: StreamFormat, before: Int64, behind: Int64) {
    inputFormat = format
    self.before = before
    self.behind = behind
  }

  package var isWaiting: Bool { before > 0 }
  package var isFinished: Bool { behind == 0 }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    // Samples that come while the stage is waiting go behind all of the silence.
    repeat { appendSilence(&before, to: output) } while before > 0 && !input.isEmpty
    output.append(input)
  }

  package func finish(into output: SampleQueue<Sample>) {
    while before > 0 { appendSilence(&before, to: output) }
    appendSilence(&behind, to: output)
  }

  private func appendSilence(_ rest: inout Int64, to output: SampleQueue<Sample>) {
    let length = min(rest, Int64(BlockSize.samplesPerChannel(inputFormat)))
    output.appendSilence(Int(length) * inputFormat.channelCount)
    rest -= length
  }
}
