/// How a stream and a running program go along with each other: offline or live.
protocol ProgramExchange<Sample> {
  associatedtype Sample: AudioSample

  /// Takes all of `pending`, which has the program's format, and appends what goes on to `output`, also
  /// when it throws.
  func advance(_ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// The same, for the last time: `output` then has exactly as many samples as the stream.
  func finish(_ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// Leaves no process behind.
  func stop(_ reason: StopReason) throws(AudioError)
}
