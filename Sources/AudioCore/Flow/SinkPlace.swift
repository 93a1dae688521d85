// SPDX-License-Identifier: Apache-2.0
/// The outputs of a session.
@nonexhaustive
public enum SinkPlace: Sendable, Hashable {
  /// The local source, after record.
  case publish
  /// The sum of the remote and shared sources.
  case playback
  /// Record and playback together.
  case mixed
  /// The sum that this source hears: all sources without itself, as they enter ``playback`` and ``mixed``, so in front
  /// of the observers of those sums. The source may join and leave; while it is absent, nothing is left out. The sink
  /// must not be a device.
  case playbackOf(SourceKey)
  /// One remote or shared source by itself, behind ``ObservationPosition/beforeMixing``. It is there from the start. The
  /// sink must not be a device.
  case track(SourceKey)
}

extension SinkPlace: CustomStringConvertible, Comparable {
  /// The place in words, such as `playback of anna`.
  public var description: String {
    switch self {
    case .publish: "publish"
    case .playback: "playback"
    case .mixed: "mixed"
    case .playbackOf(let key): "playback of \(key)"
    case .track(let key): "track of \(key)"
    }
  }

  /// The source that the sum leaves out; nil if it leaves out none.
  var except: SourceKey? {
    if case .playbackOf(let key) = self { key } else { nil }
  }

  /// The only source of the place, of those that enter the sum; nil if it takes others.
  var track: SourceKey? {
    if case .track(let key) = self { key } else { nil }
  }

  /// The order of flow; places of sources are in the order of their names.
  public static func < (left: Self, right: Self) -> Bool {
    (left.order, left.description) < (right.order, right.description)
  }

  private var order: Int {
    switch self {
    case .publish: 0
    case .playback: 1
    case .mixed: 2
    case .playbackOf: 3
    case .track: 4
    }
  }
}
