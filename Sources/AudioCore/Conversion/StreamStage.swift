/// A step of a stream inside the engine: samples in, samples out, state carried between calls.
///
/// The output never depends on how the input was cut into blocks. Used on the session thread only.
protocol StreamStage<Sample>: AnyObject {
  associatedtype Sample: AudioSample

  var inputFormat: StreamFormat { get }
  var outputFormat: StreamFormat { get }

  /// Takes interleaved whole sample frames and appends what has become ready to `output`.
  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// The stream has ended: appends everything still held back. Called once, after the last `process`.
  func finish(into output: SampleQueue<Sample>) throws(AudioError)
}
