// SPDX-License-Identifier: Apache-2.0
extension SplittingSink {
  /// A limit at which a part ends.
  public enum Limit: Sendable, Hashable {
    /// After so much audio; n parts in a row are n times as long to the sample.
    case duration(TimePosition)
    /// Before the file, header included, has more bytes than this. Parts with a codec end a little earlier: samples
    /// that the encoder still holds could take as much room as uncompressed ones.
    case fileSize(Int64)
    /// At the end of an event of a ``TriggeredSink`` in front.
    case event
    /// At the next stretch of the wall clock, as ``PartNames/civilTime`` reads it. It needs a ``SplittingSink/clock``.
    case clock(ClockInterval)
  }

  /// A complete part.
  public struct Part: Sendable, Hashable {
    /// The path of its file.
    public var path: String
    /// The position of its first sample, in samples per channel from the start of the stream.
    public var position: Int64
    /// Its length in samples per channel.
    public var samplesPerChannel: Int64
    /// The time of its first sample, in nanoseconds since 1970; nil if the sink has no ``SplittingSink/clock``.
    public var time: Int64?
  }
}
