// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The duration of a count of samples over all channels.
struct CallLength: CustomStringConvertible {
  private let samples: Int
  /// Hertz.
  private let sampleRate: Int
  private let channelCount: Int

  init(of samples: Int, at sampleRate: Int, channelCount: Int) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  init(of samples: Int, at format: StreamFormat) {
    self.init(of: samples, at: format.sampleRate, channelCount: format.channelCount)
  }

  /// For example `50 ms`, `23.22 ms`.
  var time: String { Self.milliseconds(of: Int64(samples), at: sampleRate * channelCount) }

  /// - Parameters:
  ///   - samples: the number of samples.
  ///   - rate: samples per second.
  static func milliseconds(of samples: Int64, at rate: Int) -> String {
    let milliseconds = 1_000 * Double(samples) / Double(rate)
    let rounded = milliseconds.rounded(toDigits: 2)
    return (rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)") + " ms"
  }

  /// For example `50 ms at 44100 Hz stereo`.
  var description: String {
    let channels =
      switch channelCount {
      case 1: "mono"
      case 2: "stereo"
      default: "with \(channelCount) channels"
      }
    return "\(time) at \(sampleRate) Hz \(channels)"
  }
}
