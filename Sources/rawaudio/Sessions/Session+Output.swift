internal import AudioCore

extension Session {
  /// Sets `output` as the sink of `place`.
  func setSink(_ place: SinkPlace, _ output: SessionOutput) {
    setSink(place) { (sources) throws(AudioError) in try output.make(sources) }
  }
}
