// SPDX-License-Identifier: Apache-2.0
/// A processing step of a stream: it takes samples, gives samples and keeps state between calls.
///
/// The output never depends on the block boundaries of the input. Session thread only.
package protocol StreamStage<Sample>: AnyObject {
  associatedtype Sample: AudioSample

  var inputFormat: StreamFormat { get }

  /// ``inputFormat`` by default.
  var outputFormat: StreamFormat { get }

  /// Takes interleaved whole sample frames and appends the ready output to `output`.
  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// Ends the stream: appends the samples still held back. Called after the last `process`, once, or until the stage
  /// ``isFinished``. Appends nothing by default.
  func finish(into output: SampleQueue<Sample>) throws(AudioError)

  /// Whether the stage must catch up before it takes more samples or the end of the stream. A `process` call without
  /// samples lets it go on. False by default.
  var isWaiting: Bool { get }

  /// Whether `finish` has appended everything; true by default.
  var isFinished: Bool { get }
}

extension StreamStage {
  package var outputFormat: StreamFormat { inputFormat }
  package func finish(into output: SampleQueue<Sample>) throws(AudioError) {}
  package var isWaiting: Bool { false }
  package var isFinished: Bool { true }
}
