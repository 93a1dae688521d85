/// A device that ALSA knows by a name which does not move when cards come and go.
public struct AlsaDevice: Sendable, Hashable {
  /// What a device says to one direction.
  public enum Answer: Sendable, Hashable {
    /// It was opened; this is what it really takes.
    case offer(AlsaOffer)
    /// It is in use, by these processes where the system tells.
    case inUse(by: [DeviceUser])
    /// It could not be opened, and why: no permission, no such hardware.
    case unavailable(reason: String)
    /// It was not opened, because that might start a sound server.
    case notAsked
  }

  /// What to open it by, for example `hw:CARD=PCH,DEV=0`.
  public var name: String
  /// ALSA's or the card's own words, on one line; empty where there are none.
  public var description: String
  /// Whether it is what is used where no device is named.
  public var isDefault: Bool { name == "default" }
  /// nil where the device does not capture.
  public var capture: Answer?
  /// nil where the device does not play.
  public var playback: Answer?

  /// What the device says to `direction`.
  public func answer(to direction: DeviceDirection) -> Answer? {
    direction == .capture ? capture : playback
  }
}
