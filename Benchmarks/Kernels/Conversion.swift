// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A conversion that a session does between a source of noise and a sink that drops everything.
struct Conversion {
  let input: StreamFormat
  let output: StreamFormat
  var quality = ResamplerQuality.high

  /// Long enough that what a session does once, such as to compute a filter, hardly counts.
  private static let seconds = 20

  /// Of one session.
  ///
  /// - Parameter encoding: of the source: it decides the session's precision.
  func time(_ encoding: SampleEncoding, _ stopwatch: Stopwatch) throws(AudioError) -> Double {
    let seconds = stopwatch.isSmokeTest ? 1 : Self.seconds
    let written = seconds * output.sampleRate * output.channelCount
    return try stopwatch.nanoseconds(per: written) { () throws(AudioError) in
      try run(encoding, samplesPerChannel: seconds * input.sampleRate)
    }
  }

  private func run(
    _ encoding: SampleEncoding, samplesPerChannel: Int
  ) throws(AudioError) {
    let session = Session()
    session.resamplerQuality = quality
    try session.setLocal(
      NoiseBlocks(format: input, encoding: encoding, samplesPerChannel: samplesPerChannel))
    try session.setSink(DroppingSink(format: output), at: .publish)
    _ = try session.run()
  }
}
