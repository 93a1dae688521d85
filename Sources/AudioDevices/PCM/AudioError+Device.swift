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
    return switch direction {
    case .capture:
      AudioError(
        .deviceLost, cannot: "go on capturing from", device,
        because: "\(reason), after \(samples) samples per channel")
    case .playback:
      AudioError(
        .deviceLost, cannot: "go on playing on", device,
        because: "\(reason), after \(samples) samples per channel were heard"
          + (uncertainty > 0 ? " (estimated ±\(uncertainty))" : ""))
    }
  }

  /// The error of a gap in a capture that must have none.
  static func gap(_ gap: DeviceGap, in device: String, sampleRate: Int) -> AudioError {
    let happened =
      switch gap.cause {
      case .xrun: "its buffer overran"
      case .suspend: "the system slept"
      case .ringOverflow: "the samples were not taken in time"
      case .fault: "it failed and had to be started again"
      case .deviceLost: "it was lost for a while"
      }
    let lost = gap.lostSamples.map { "; \($0) samples per channel were lost\(gap.accuracy)" } ?? ""
    return AudioError(
      .inputOutput, cannot: "capture without a gap from", device,
      because: "\(happened), after \(gap.position) samples per channel\(lost)")
  }
}

/// `10`, or `0.5` for a fraction.
private func seconds(_ duration: Duration) -> String {
  let seconds = duration / .seconds(1)
  return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
}

extension DeviceGap {
  /// The accuracy of an estimate, for example ` (estimated ±48)`; empty for a count.
  var accuracy: String { isEstimated ? " (estimated ±\(uncertainty))" : "" }
}
