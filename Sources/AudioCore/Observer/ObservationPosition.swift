// SPDX-License-Identifier: Apache-2.0
/// A point of the session where observers receive the audio.
///
/// A frame of a sum comes after the frames of the streams in it. Record and before mixing may be ahead of the sums by a
/// block or two of 16,384 samples across all channels (0.34 s each at 48 kHz mono). Match frames by
/// ``AudioFrame/samplePosition``, never by the order of calls.
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

extension ObservationPosition {
  /// Whether a stream at this position is a sum of sources.
  var isSum: Bool {
    switch self {
    case .record, .beforeMixing: false
    case .playback, .mixed, .shared: true
    }
  }
}

/// A set of observation positions; the bit values are those of real-time-communication SDKs.
public struct ObservationPositions: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let playback = ObservationPositions(rawValue: 1 << 0)
  public static let record = ObservationPositions(rawValue: 1 << 1)
  public static let mixed = ObservationPositions(rawValue: 1 << 2)
  public static let beforeMixing = ObservationPositions(rawValue: 1 << 3)
  public static let shared = ObservationPositions(rawValue: 1 << 4)

  public init(_ position: ObservationPosition) {
    self =
      switch position {
      case .playback: .playback
      case .record: .record
      case .mixed: .mixed
      case .beforeMixing: .beforeMixing
      case .shared: .shared
      }
  }
}
