/// Which way samples go through a device.
public enum DeviceDirection: String, Sendable, Hashable, CaseIterable {
  /// From the device.
  case capture
  /// To the device.
  case playback
}
