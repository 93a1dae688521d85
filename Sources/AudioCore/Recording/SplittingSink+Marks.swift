extension SplittingSink {
  /// Puts a mark into the part that holds a sample of the stream, as
  /// ``SoundFileSink/mark(_:at:label:)`` does. Any thread, before that part is completed.
  ///
  /// - Parameters:
  ///   - position: in samples per channel from the start of the stream, at `sampleRate`.
  ///   - sampleRate: in hertz; another one than the stream's is converted.
  ///   - label: in one line.
  public func mark(_ position: Int64, at sampleRate: Int, label: String) {
    marks.append(.init(position: position, sampleRate: sampleRate, label: label))
  }

  /// Hands the marks in `part` to its file; those before it stand at what was left out.
  func handMarks(to part: OpenedPart) {
    guard let rate = format?.sampleRate else { return }
    for mark in marks.take(before: part.position + part.samplesPerChannel, at: rate) {
      let position = AudioTime.nearest(mark.position, from: mark.sampleRate, to: rate)
      guard position >= part.position else { continue }
      part.sink.mark(position - part.position, at: rate, label: mark.label)
    }
  }
}
