// SPDX-License-Identifier: Apache-2.0
/// A sink that can store silence for less than its samples would cost.
package protocol SilenceSink: AudioSink {
  /// Appends silence if its length costs neither time nor space.
  ///
  /// - Parameter length: in samples per channel.
  /// - Returns: whether it was appended; false = write samples.
  func appendSilence(_ length: Int64) throws(AudioError) -> Bool
}

/// A sink that writes more than it is given, step by step.
package protocol SteppingSink: AudioSink {
  /// Returns how many of the next `count` samples per channel can be written now; 0 after it wrote a piece of its own.
  func ready<Sample: AudioSample>(
    _ count: Int, as type: Sample.Type
  ) throws(AudioError) -> Int
}
