/// Which way samples go through a device.
public enum DeviceDirection: String, Sendable, Hashable, CaseIterable {
  case capture
  case playback
}
