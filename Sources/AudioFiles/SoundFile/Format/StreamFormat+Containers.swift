// SPDX-License-Identifier: Apache-2.0
extension StreamFormat {
  /// The stream format that a file's header states.
  ///
  /// - Throws: `malformed` if no stream can have it.
  init(
    claiming sampleRate: Int, _ channelCount: Int, in name: String
  ) throws(AudioError) {
    guard Self.channelCounts.contains(channelCount) else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "its header claims \(channelCount) channels, and 1 to 64 are possible")
    }
    guard Self.sampleRates.contains(sampleRate) else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "its header claims \(sampleRate) Hz, and 1000 to 768000 are possible")
    }
    try self.init(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Checks that a file can hold these channels at this rate.
  ///
  /// - Parameters:
  ///   - most: the most channels of `coding`.
  ///   - rates: the only rates, in hertz; nil = any.
  /// - Throws: `unsupported`, naming the possible values.
  func check(
    atMost most: Int, channelsOf coding: String, rates: [Int]?, in container: String
  ) throws(AudioError) {
    guard channelCount <= most else {
      throw AudioError(
        .unsupported, cannot: "store \(channelCount) channels in", container,
        because: "\(coding) there holds at most \(most)",
        advice: "convert to at most that or take another container")
    }
    guard let rates, !rates.contains(sampleRate) else { return }
    let list = rates.sorted().map(String.init).joined(separator: ", ")
    throw refused(
      by: container, because: "it holds only \(list) Hz", advice: "convert to one of these")
  }

  /// The error for a container that cannot hold this rate.
  func refused(
    by container: String, because reason: String,
    advice: String = "convert to one of these or take another container"
  ) -> AudioError {
    AudioError(
      .unsupported, cannot: "store \(sampleRate) Hz in", container,
      because: reason, advice: advice)
  }
}
