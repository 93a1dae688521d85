extension SoundFileSink {
  /// Puts a mark into the file: a cue point with a label, which programs that edit sound show.
  ///
  /// WAV, WAVEX and RF64 files take marks, up to 65,536, when they are completed; other containers and
  /// pipes leave them out. Any thread, before `stop`.
  ///
  /// - Parameters:
  ///   - position: in samples per channel from the start of the file, at `sampleRate`.
  ///   - sampleRate: in hertz; another one than the file's is converted.
  ///   - label: in one line.
  public func mark(_ position: Int64, at sampleRate: Int, label: String) {
    marks.append(.init(position: position, sampleRate: sampleRate, label: label))
  }
}
