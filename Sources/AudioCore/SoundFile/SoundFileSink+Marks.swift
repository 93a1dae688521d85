extension SoundFileSink {
  /// Puts a mark into the file: a cue point with a label, which programs that edit sound show.
  ///
  /// WAV, WAVEX and RF64 files take marks; other containers and pipes do not, and neither does a file that
  /// has 65,536 already. Session thread, between `initialize` and `stop`.
  ///
  /// - Parameters:
  ///   - position: in samples per channel from the start of the file, at `sampleRate`.
  ///   - sampleRate: in hertz; another one than the file's is converted.
  ///   - label: in one line.
  /// - Returns: whether the file takes it.
  @discardableResult
  public func mark(_ position: Int64, at sampleRate: Int, label: String) -> Bool {
    writer?.mark(position, at: sampleRate, label: label) ?? false
  }
}
