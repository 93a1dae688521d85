// SPDX-License-Identifier: Apache-2.0
extension SplittingSink {
  /// Where a part ends.
  public enum Limit: Sendable, Hashable {
    /// After so much audio; n parts in a row are n times as long to the sample.
    case duration(TimePosition)
    /// Before the file, header included, has more bytes than this. Parts with a codec end a little
    /// earlier, for what the encoder still holds could be as long as uncompressed.
    case fileSize(Int64)
    /// Where a ``TriggeredSink`` in front ends an event.
    case event
    /// Where the clock on the wall, as ``PartNames/civilTime`` reads it, begins the next stretch. There has to be a
    /// ``SplittingSink/clock``.
    case clock(ClockInterval)
  }

  /// A part that is complete.
  public struct Part: Sendable, Hashable {
    /// Its file.
    public var path: String
    /// Where it begins, in samples per channel from the start of the stream.
    public var position: Int64
    /// How long it is.
    public var samplesPerChannel: Int64
    /// When its first sample was taken, in nanoseconds since 1970; nil where the sink has no ``SplittingSink/clock``.
    public var time: Int64?
  }
}
