/// What a file without a header holds, as its reader has to be told.
public struct HeaderlessFormat: Sendable, Hashable {
  /// The rate and the channels of its stream.
  public var format: StreamFormat
  /// How its samples are stored.
  public var encoding: SampleEncoding
  /// How the samples lie; nil for codecs that do not store samples one by one.
  public var layout: SampleLayout?

  /// For plain encodings, in a layout of which the encoding follows.
  public init(_ format: StreamFormat, _ layout: SampleLayout) {
    self.format = format
    self.encoding = layout.encoding
    self.layout = layout
  }

  /// For codecs as well as for plain encodings, which are then in `byteOrder`.
  public init(
    _ format: StreamFormat, _ encoding: SampleEncoding, _ byteOrder: ByteOrder = .native
  ) {
    self.format = format
    self.encoding = encoding
    self.layout = SampleLayout(encoding, byteOrder)
  }
}
