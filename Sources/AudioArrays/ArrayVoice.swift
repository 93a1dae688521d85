// SPDX-License-Identifier: Apache-2.0
internal import AudioStreams

/// The probabilities of speech in a stream that lies in the memory of another program. One thread at a time.
final class ArrayVoice {
  private let activity: VoiceActivity
  private let layout: SampleLayout
  private let channelCount: Int
  private let block = SampleQueue<Float>()

  /// - Parameters:
  ///   - format: that of the samples that come.
  ///   - input: the encoding of the samples.
  ///   - path: the file of the model; empty = the installed one.
  init(of format: StreamFormat, input: SampleLayout, path: String) throws(AudioError) {
    let model = path.isEmpty ? try VoiceModel() : try VoiceModel(path: path)
    activity = try VoiceActivity(format, model)
    layout = input
    channelCount = format.channelCount
  }

  /// Takes the next `count` samples per channel of the stream.
  ///
  /// - Returns: the probabilities that are in `target` now.
  func process(
    _ samples: UnsafeRawPointer, _ count: Int, isLast: Bool, to target: UnsafeMutablePointer<Float>
  ) -> Int {
    var written = 0
    func take(_ step: VoiceActivity.Step) {
      unsafe target[written] = step.probability
      written += 1
    }
    let most = BlockSize.samples / channelCount
    let frameBytes = channelCount * layout.bytesPerSample
    for start in stride(from: 0, to: count, by: most) {
      let length = min(most, count - start)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: samples + start * frameBytes, count: length * frameBytes)
      let (layout, block) = (layout, block)
      block.append(atMost: length * channelCount) {
        unsafe Float.decode(bytes.bytes, as: layout, into: &$0)
      }
      // No stage of a rate conversion fails.
      try? activity.process(block.readable, onStep: take)
      block.removeAll()
    }
    if isLast { try? activity.finish(onStep: take) }
    return written
  }
}
