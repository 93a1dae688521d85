/// A length of time as options for devices state it.
public enum DeviceLength: Sendable, Hashable {
  /// So many samples per channel at the rate of the device.
  case samplesPerChannel(Int)
  /// So many milliseconds.
  case milliseconds(Int)

  /// The length in samples per channel, rounded to the nearest, at least 1.
  func samplesPerChannel(at sampleRate: Int) -> Int {
    switch self {
    case .samplesPerChannel(let count): max(count, 1)
    case .milliseconds(let time): max((time * sampleRate + 500) / 1_000, 1)
    }
  }
}
