internal import Glibc

extension AudioError {
  /// What ended a device thread, told with how far it got.
  ///
  /// - Parameters:
  ///   - code: the negative errno of the loop.
  ///   - samples: per channel, that were captured or heard.
  ///   - uncertainty: by how many of them that may be wrong either way.
  static func deviceLost(
    _ device: String, _ direction: DeviceDirection, code: Int, after samples: Int64,
    uncertainty: Int64 = 0,
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
      AudioError(
        .deviceLost, cannot: "go on playing on", device,
        because: "\(reason), after \(samples) samples per channel were heard"
          + (uncertainty > 0 ? " (estimated ±\(uncertainty))" : ""))
    }
  }

  /// A gap that a capture was not to have.
  static func gap(_ gap: DeviceGap, in device: String, sampleRate: Int) -> AudioError {
    let happened =
      switch gap.cause {
      case .xrun: "its buffer overran"
      case .suspend: "the system slept"
      case .ringOverflow: "the samples were not taken in time"
      case .fault: "it failed and had to be started again"
      }
    let lost = gap.lostSamples.map { "; \($0) samples per channel were lost\(gap.accuracy)" } ?? ""
    return AudioError(
      .inputOutput, cannot: "capture without a gap from", device,
      because: "\(happened), after \(gap.position) samples per channel\(lost)")
  }
}

extension DeviceGap {
  /// What is to be said of an estimate: ` (estimated ±48)`.
  var accuracy: String { isEstimated ? " (estimated ±\(uncertainty))" : "" }
}
