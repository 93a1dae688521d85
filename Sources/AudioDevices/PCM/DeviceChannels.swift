// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

/// The channel map of a device.
struct DeviceChannels {
  /// The layout of the stream; nil for the usual one.
  var layout: Metadata.ChannelLayout?
  /// The device's order; nil if it is the order of streams or unknown.
  var order: ChannelOrder?
}

extension PCMHandle {
  /// The channel map of the configured device. Call this before its thread runs.
  borrowing func channels(count: Int) -> DeviceChannels {
    ALSAMessages.forget()
    // Up to two channels need no map; many microphones have no loudspeakers.
    guard count > 2 else { return DeviceChannels() }
    guard let stored = stored(count) else { return DeviceChannels(layout: .discrete) }
    return DeviceChannels(layout: stored.layout, order: stored.order)
  }

  /// - Returns: nil if the device has no map, or one that WAV cannot express.
  private borrowing func stored(_ count: Int) -> StoredChannels? {
    guard let map = unsafe snd_pcm_get_chmap(pcm) else { return nil }
    defer { unsafe free(map) }
    guard unsafe Int(map.pointee.channels) == count else { return nil }
    let bytes = UnsafeRawPointer(map)
    let size = MemoryLayout<UInt32>.size
    return StoredChannels(
      (1...count).map { index in
        Self.speaker(unsafe bytes.load(fromByteOffset: index * size, as: UInt32.self))
      })
  }

  /// - Returns: a bit of WAV's mask; 0 if WAV has none.
  private static func speaker(_ position: UInt32) -> UInt32 {
    let isInverted = position & UInt32(SND_CHMAP_PHASE_INVERSE) != 0
    let isDriverSpecific = position & UInt32(SND_CHMAP_DRIVER_SPEC) != 0
    if isInverted || isDriverSpecific { return 0 }
    let place = snd_pcm_chmap_position(position & UInt32(SND_CHMAP_POSITION_MASK))
    let bit = speakers.firstIndex(of: place == SND_CHMAP_MONO ? SND_CHMAP_FC : place)
    return bit.map { 1 << UInt32($0) } ?? 0
  }

  /// The loudspeakers of WAV's mask, from its lowest bit on.
  private static let speakers = [
    SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_FC, SND_CHMAP_LFE, SND_CHMAP_RL, SND_CHMAP_RR,
    SND_CHMAP_FLC, SND_CHMAP_FRC, SND_CHMAP_RC, SND_CHMAP_SL, SND_CHMAP_SR, SND_CHMAP_TC,
    SND_CHMAP_TFL, SND_CHMAP_TFC, SND_CHMAP_TFR, SND_CHMAP_TRL, SND_CHMAP_TRC, SND_CHMAP_TRR,
  ]
}
