extension Metadata {
  /// Which channel belongs where.
  public enum ChannelLayout: Sendable, Hashable {
    /// The loudspeakers of the channels, in the order of the bits: 1 = front left, 2 = front right, 4 = front centre,
    /// 8 = low frequencies, 0x10 and 0x20 = back left and right, 0x200 and 0x400 = side left and right. Channels
    /// without a bit come last.
    ///
    /// Source: Microsoft, "Multiple Channel Audio Data and WAVE Files".
    case speakers(UInt32)
    /// No loudspeakers.
    case discrete
    /// B-format.
    case ambisonic
  }
}
