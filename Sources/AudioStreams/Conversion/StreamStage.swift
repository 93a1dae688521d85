// SPDX-License-Identifier: Apache-2.0
/// A step of a stream inside the engine: samples in, samples out, state carried between calls.
///
/// The output never depends on how the input was cut into blocks. Used on the session thread only.
package protocol StreamStage<Sample>: AnyObject {
  associatedtype Sample: AudioSample

  var inputFormat: StreamFormat { get }
  var outputFormat: StreamFormat { get }

  /// Takes interleaved whole sample frames and appends the samples that are ready to `output`.
  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// The stream has ended: appends everything still held back. Called after the last `process`, once, or until
  /// the stage ``isFinished``.
  func finish(into output: SampleQueue<Sample>) throws(AudioError)

  /// Whether something else has to come first: the stage takes no samples now, and the stream must not end. A call without
  /// samples gives it the time to go on. False by default.
  var isWaiting: Bool { get }

  /// Whether `finish` has appended everything. True by default.
  var isFinished: Bool { get }
}

extension StreamStage {
  package var isWaiting: Bool { false }
  package var isFinished: Bool { true }
}
