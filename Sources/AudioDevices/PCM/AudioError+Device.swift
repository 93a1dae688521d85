// SPDX-License-Identifier: Apache-2.0
extension AudioError {
  /// The error that ended a device thread, with the samples up to it.
  ///
  /// - Parameters:
  ///   - failure: the failure of the device.
  ///   - samples: samples per channel that were captured or heard.
  ///   - uncertainty: the uncertainty of `samples` either way.
  static func deviceLost(
    _ device: String, _ direction: DeviceDirection, _ failure: DeviceFailure, after samples: Int64,
    uncertainty: Int64 = 0,
    stallLimit: Duration
  ) -> AudioError {
    let reason: String =
      switch failure {
      case .disconnected: "it was disconnected"
      case .stalled: "it moved no sample for \(seconds(stallLimit)) s"
      case .suspended: "it did not wake up from the system's sleep"
      case .xrun, .other: describe(alsaCode: -Int(failure.errno))
      }
    return lost(device, direction, because: reason, after: samples, uncertainty: uncertainty)
  }
}

/// `10`, or `0.5` for a fraction.
private func seconds(_ duration: Duration) -> String {
  let seconds = duration / .seconds(1)
  return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
}
