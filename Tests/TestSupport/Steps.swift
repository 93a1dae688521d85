// SPDX-License-Identifier: Apache-2.0
// Steps that many tests take.

extension Session {
  package convenience init(local source: any AudioSource) throws(AudioError) {
    self.init()
    try setLocal(source)
  }

  /// Returns the new sink of `place`, which keeps its samples.
  package func collect(
    _ place: SinkPlace, precision: SamplePrecision = .single
  ) throws(AudioError) -> CollectingSink {
    let sink = CollectingSink(precision: precision)
    try setSink(sink, at: place)
    return sink
  }

  /// Runs the session and returns the sink of `place`, with its samples.
  package func run(
    collecting place: SinkPlace, precision: SamplePrecision = .single
  ) throws(AudioError) -> CollectingSink {
    let sink = try collect(place, precision: precision)
    _ = try run()
    return sink
  }
}

extension AudioSink {
  /// Initialises and starts the sink, which may take another format.
  package func begin(_ format: StreamFormat) throws(AudioError) {
    _ = try initialize(proposing: format, wakeup: Wakeup())
    try start()
  }

  /// Finishes and disposes of the sink.
  package func complete() throws(AudioError) {
    try stop(.finished)
    dispose()
  }
}

/// A source that holds no resources.
package protocol PlainSource: AudioSource {}

extension PlainSource {
  package func stop() {}
  package func dispose() {}
}

/// A sink that holds no resources and takes any format.
package protocol PlainSink: AudioSink {}

extension PlainSink {
  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat { proposal }
  package func stop(_ reason: StopReason) throws(AudioError) {}
  package func dispose() {}
}

/// Returns the kind of the error that `body` throws; nil if it throws none of the library.
package func errorKind<Result>(_ body: () throws -> Result) -> AudioError.Kind? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? AudioError)?.kind
  }
}
