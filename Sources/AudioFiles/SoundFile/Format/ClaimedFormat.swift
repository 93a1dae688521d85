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
}
