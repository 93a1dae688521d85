/// One stream that an observer is called for: what ``AudioFrameObserver/begin(_:)`` is told before its
/// first frame.
public struct ObservedStream: Sendable, Hashable {
  /// Where in the session it is observed.
  public var position: ObservationPosition
  /// Who it comes from; nil where it is a sum of sources.
  public var source: SourceID?
  /// The group of that source, where it has one.
  public var group: SourceID?
  /// The rate and the channel count of the observer's frames.
  public var format: StreamFormat
  /// Samples across all channels in one frame; the last frame may have fewer.
  public var samplesPerCall: Int
  /// The widest encoding among the sources that feed the stream.
  public var encoding: SampleEncoding
  /// Whether the session moves at a device's own pace, so that nothing may hold it up.
  public var isLive: Bool

  public init(
    position: ObservationPosition, source: SourceID? = nil, group: SourceID? = nil,
    format: StreamFormat, samplesPerCall: Int, encoding: SampleEncoding, isLive: Bool
  ) {
    self.position = position
    self.source = source
    self.group = group
    self.format = format
    self.samplesPerCall = samplesPerCall
    self.encoding = encoding
    self.isLive = isLive
  }
}

extension ObservedStream {
  /// What to call the stream: the source's id, `GROUP-ID` where it has a group, and the position where
  /// it is a sum.
  public var name: String {
    guard let source else { return position.rawValue }
    return Self.name(of: source, in: group)
  }

  /// The name of the stream of one source.
  public static func name(of source: SourceID, in group: SourceID?) -> String {
    group.map { "\($0)-\(source)" } ?? source.description
  }

}
