// SPDX-License-Identifier: Apache-2.0
/// A sink that can store silence for less than its samples would cost.
package protocol SilenceSink: AudioSink {
  /// Appends silence, where it costs neither time nor room, however long it is.
  ///
  /// - Parameter length: in samples per channel.
  /// - Returns: whether it was appended; false = write samples.
  func appendSilence(_ length: Int64) throws(AudioError) -> Bool
}

/// A sink that has more to write than it is given, and does so step by step.
package protocol SteppingSink: AudioSink {
  /// How many of the next `count` samples per channel can be written now; 0 where something else came first, of which
  /// a piece was written.
  func ready<Sample: AudioSample>(
    _ count: Int, as type: Sample.Type
  ) throws(AudioError) -> Int
}
