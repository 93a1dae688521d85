/// How the session thread and a device thread wake each other.
struct DeviceSignals: ~Copyable, Sendable {
  /// Wakes the session thread: samples came, or room for them.
  let session: Wakeup
  /// Wakes the device thread: samples to play came, or a command.
  let device = Wakeup()

  init(session: Wakeup) { self.session = session }
}
