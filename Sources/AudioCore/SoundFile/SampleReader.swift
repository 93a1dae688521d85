/// Where the stored samples of a sound file come from, interleaved and in one layout, header and codec
/// behind it.
protocol SampleReader: AnyObject {
  /// How the samples that `read` delivers lie.
  var layout: SampleLayout { get }

  /// Stores what is there at the start of `bytes`, which hold at least one sample frame; any number of
  /// bytes, not only whole samples.
  ///
  /// - Returns: how many bytes; 0 = the end.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int

  /// Passes over samples without decoding them, where the file can do that exactly.
  ///
  /// - Returns: whether it did; if not, nothing has changed.
  func skip(sampleFrames: Int64) throws(AudioError) -> Bool
}
