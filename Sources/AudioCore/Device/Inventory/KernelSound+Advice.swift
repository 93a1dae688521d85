internal import Glibc

extension KernelSound {
  /// The failure to open a device, with what the kernel knows of its cause: who uses it, whose it is, or
  /// that there is no card.
  ///
  /// - Parameter code: the negative errno of libasound. A card that may not be opened is one that it does
  ///   not find.
  func explain(
    _ failure: AudioError, code: Int, opening name: String, _ direction: DeviceDirection
  ) -> AudioError {
    var error = failure
    let address = CardAddress(deviceName: name)
    switch CInt(-code) {
    case EBUSY:
      let users = address.map { self.users(of: $0, direction) } ?? []
      if !users.isEmpty {
        error.advice = "close \(users.map(\.description).joined(separator: " and ")), which uses it"
      }
    case EACCES, EPERM:
      if let group = self.group(of: address, direction) {
        error.advice =
          "it belongs to the group '\(group)': \(SoundObstacle.advice(toJoin: group))"
      }
    case ENOENT, ENODEV, ENXIO:
      guard address != nil, let obstacle = self.obstacle() else { break }
      if case .forbidden = obstacle { error.kind = .unavailable }
      error.reason = obstacle.reason
      error.advice = obstacle.advice
    default: break
    }
    return error
  }
}
