// SPDX-License-Identifier: Apache-2.0
/// The destination of a received stream, in the order of the stream. The thread of the network.
protocol ReceptionOutput {
  /// Appends the whole sample frames of a packet, as they came.
  mutating func append(_ payload: RawSpan)
  /// Appends silence that the sender meant, in samples per channel: it sent no packets meanwhile.
  mutating func appendSilence(_ count: Int64)
  /// Appends silence for samples that were sent and did not come, or that could not be sent.
  ///
  /// - Parameters:
  ///   - count: samples per channel.
  ///   - uncertainty: of `count` either way; 0 if the sender's clock told it.
  mutating func appendGap(_ count: Int64, uncertainty: Int64)
}

/// The packets of a received stream so far.
struct ReceptionCounts: Equatable {
  /// Packets that were taken.
  var taken = 0
  /// Packets whose sequence numbers are missing.
  var lost = 0
  /// Packets that came again.
  var duplicated = 0
  /// Packets that came before a predecessor and were put in order.
  var reordered = 0
  /// Packets that came after silence had replaced them, and their samples per channel.
  var late = 0
  var lateSamples: Int64 = 0
  /// Packets of another sender, of another format, or without whole sample frames.
  var ignored = 0
  /// How often the sender began again, or its clock leapt.
  var restarts = 0
}
