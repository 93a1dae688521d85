// SPDX-License-Identifier: Apache-2.0
/// The samples of a packet, as its stream takes them.
struct PayloadPart {
  let format: PayloadFormat
  /// Samples per channel that the payload stands for; 0 for a fragment that is not the last one of its unit.
  let count: Int
  /// How many of the first of them stand in the stream already.
  var known = 0
  /// The marker of RTP.
  var isMarked = false
}

/// The destination of a received stream, in the order of the stream. The thread of the network.
protocol ReceptionOutput {
  /// Appends the samples of a packet.
  mutating func append(_ payload: RawSpan, _ part: PayloadPart)
  /// Appends silence that the sender meant, in samples per channel: it sent no sound meanwhile.
  mutating func appendSilence(_ count: Int64)
  /// Appends silence for samples that were sent and did not come, or that could not be sent.
  mutating func appendGap(_ gap: ReceptionGap)
}

/// Samples of a received stream that are missing.
struct ReceptionGap: Equatable {
  /// Samples per channel.
  var count: Int64
  /// Of `count` either way; 0 if the sender's clock told it.
  var uncertainty: Int64 = 0
  /// Whether the packets came to this machine, and were not taken in time.
  var isOverflow = false
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
  /// Packets of another sender, or without whole sample frames.
  var ignored = 0
  /// Packets of another stream that came between those of this one.
  var foreign = 0
  /// Packets of the sender without sound of the stream: comfort noise, events of a telephone, other formats.
  var silent = 0
  /// How often timestamps had moved away from the samples, and their packet was put at its timestamp.
  var corrected = 0
  /// How often the sender began again, or its clock leapt or stood still.
  var restarts = 0
}
