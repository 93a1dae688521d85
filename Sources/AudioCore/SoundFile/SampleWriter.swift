/// Where the samples of a sound file go to, interleaved and in one layout, header and codec behind it.
protocol SampleWriter: AnyObject {
  /// How the samples that `write` takes lie.
  var layout: SampleLayout { get }

  /// How many bits of a sample the codec keeps, where the layout has more; samples come scaled by
  /// 2^(bits − layout's bits), so that the layout's quantisation step is the codec's.
  var significantBits: Int? { get }

  /// Samples that did not fit in `significantBits`.
  var clippedSamples: Int { get }

  /// The sample frames that were stored; a `write` that failed half-way counts as far as it got.
  var sampleFrames: Int64 { get }

  /// Stores whole sample frames.
  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Makes the file complete as it is now, where it can be changed afterwards.
  func updateHeader() throws(AudioError)

  /// Marks a sample of the file, where its container has marks.
  ///
  /// The position is in samples per channel at `sampleRate`, whatever the file's own rate is.
  func mark(_ position: Int64, at sampleRate: Int, label: String)

  /// Completes the file.
  func finish() throws(AudioError)
}

extension SampleWriter {
  func mark(_ position: Int64, at sampleRate: Int, label: String) {}
}
