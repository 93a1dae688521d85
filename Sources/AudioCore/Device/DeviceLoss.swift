internal import Glibc

extension AudioError {
  /// What ended a device thread, told with how far it got.
  ///
  /// - Parameters:
  ///   - code: the negative errno of the loop.
  ///   - samples: per channel, that went through the device.
  static func deviceLost(
    _ device: String, _ direction: DeviceDirection, code: Int, after samples: Int64,
    stallLimit: Int
  ) -> AudioError {
    let reason: String =
      switch CInt(-code) {
      case ENODEV, ENXIO: "it was disconnected"
      case ETIMEDOUT: "it moved no sample for \(stallLimit) s"
      case ESTRPIPE: "it did not wake up from the system's sleep"
      default: describe(alsaCode: code)
      }
    return switch direction {
    case .capture:
      AudioError(
        .deviceLost, cannot: "go on capturing from", device,
        because: "\(reason), after \(samples) samples per channel")
    case .playback:
      // What its buffer still held was not heard, and a lost device does not tell how much that was.
      AudioError(
        .deviceLost, cannot: "go on playing on", device,
        because: "\(reason), after taking \(samples) samples per channel")
    }
  }
}
