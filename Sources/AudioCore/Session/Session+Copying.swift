// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// Runs `work` in place of the engine, for a source whose packets go into a file without being decoded. The start, the
  /// progress and the end are told as those of a run.
  ///
  /// - Parameters:
  ///   - description: of the local source.
  ///   - work: returns the samples per channel of the file. It calls its argument with those that are done.
  /// - Throws: the error of `work`, unless the session was asked to end.
  package func copy(
    _ description: SourceDescription,
    by work: (_ tell: @escaping (Int64) -> Void) throws(AudioError) -> Int64
  ) throws(AudioError) -> SessionReport {
    let format = description.format
    onStart?(
      SessionSummary(
        sources: [.init(key: .local, isShared: false, description: description)],
        sinks: [.init(place: .publish, streamFormat: format, format: format)],
        precision: description.neededPrecision))
    do {
      let count = try work { [onProgress] done in
        onProgress?(
          SessionProgress(
            samplesPerChannel: done, sampleRate: format.sampleRate,
            expectedSamplesPerChannel: description.samplesPerChannel))
      }
      return SessionReport(
        outcome: .finished,
        sources: [
          .init(key: .local, format: format, samplesPerChannel: count, missingSamplesPerChannel: 0)
        ], sinks: [.init(place: .publish, format: format, samplesPerChannel: count)])
    } catch {
      guard error.kind == .interrupted, let request = control.request else { throw error }
      return SessionReport(outcome: request == .finish ? .stopped : .abandoned)
    }
  }
}

extension SinkRequest {
  /// The request of the only source, which is opened.
  package init(of description: SourceDescription, _ metadata: Metadata?) {
    self.init(
      encodings: [description.encoding], metadata: metadata, duration: description.duration)
  }
}

extension SourceDescription {
  /// The length; nil if it is not known beforehand.
  var duration: Duration? {
    samplesPerChannel.map { .seconds(Double($0) / Double(format.sampleRate)) }
  }
}
