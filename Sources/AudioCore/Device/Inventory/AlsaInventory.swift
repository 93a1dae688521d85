/// The ALSA devices of this machine, and what to make of them.
public struct AlsaInventory: Sendable {
  /// `default`, then the cards' own, then every other name of the configuration.
  public var devices: [AlsaDevice]
  /// Which device to use for a direction; none where none can be used.
  public var suggestions: [DeviceDirection: AlsaSuggestion]
  /// Why there is no sound card to use, and what to do, in one line; nil where there is one.
  public var obstacle: String?
  /// Why the names in ALSA's configuration are not among the devices; nil where they are.
  public var failure: AudioError?
}
