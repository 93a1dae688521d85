// SPDX-License-Identifier: Apache-2.0
/// A point of the session where observers receive the audio.
///
/// A frame of a sum comes after the frames of the streams in it. Record and before mixing may be ahead of the sums by a
/// block or two of 16,384 samples across all channels (0.34 s each at 48 kHz mono). Match frames by
/// ``AudioFrame/samplePosition``, never by the order of calls.
///
/// The cases are in the order of the bits of ``ObservationPositions``.
@nonexhaustive
public enum ObservationPosition: String, Sendable, Hashable, CaseIterable {
  /// The sum of all remote and shared sources, before the playback sink.
  case playback
  /// The local source, before the publish sink.
  case record
  /// Record and playback together.
  case mixed
  /// Each remote or shared source by itself, before it enters the sum.
  case beforeMixing = "before-mixing"
  /// The sum of the shared sources alone, with the gains, pans, offsets and length that it has in playback. It is
  /// read-only; edit the shared sources before mixing.
  case shared
}

/// A set of observation positions; the bit values are those of real-time-communication SDKs.
public struct ObservationPositions: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let playback = ObservationPositions(.playback)
  public static let record = ObservationPositions(.record)
  public static let mixed = ObservationPositions(.mixed)
  public static let beforeMixing = ObservationPositions(.beforeMixing)
  public static let shared = ObservationPositions(.shared)

  public init(_ position: ObservationPosition) {
    let bit = ObservationPosition.allCases.prefix { $0 != position }.count
    rawValue = 1 << bit
  }
}
