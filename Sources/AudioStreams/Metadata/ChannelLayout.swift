// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// The places of the channels.
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

    /// The usual loudspeakers of one to eight channels: mono, stereo, with a centre, quadraphonic, 5.0, 5.1, 6.1, 7.1.
    /// Nil for more.
    ///
    /// Source: RFC 9639, section 9.1.3. `ChannelMatrix` uses these orders, too.
    package static func usualSpeakers(_ channelCount: Int) -> UInt32? {
      let all: [UInt32] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
      return all.indices.contains(channelCount - 1) ? all[channelCount - 1] : nil
    }
  }
}
