// SPDX-License-Identifier: Apache-2.0
// Silences the pauses of a recording, everything below -50 dBFS:
//
//     swift run NoiseGate interview.flac gated.wav

import AudioCore
import AudioFiles
import Foundation

/// Changes what passes: frames of 10 ms in the stream's own format, faded out while they are quiet.
final class NoiseGate: RecordObserver {
  private let threshold: Double
  private var gain: Float = 1

  /// - Parameter threshold: in dBFS.
  init(threshold: Double) { self.threshold = threshold }

  func parameters(at position: ObservationPosition) -> FrameParameters { .readWrite }

  func record(_ frame: inout AudioFrame<Float>) -> Bool {
    var level = Level()
    level.add(frame.samples.span)
    let target: Float = level.rmsDecibels < threshold ? 0 : 1
    let step = (target - gain) / Float(frame.samplesPerChannel)
    for index in 0..<frame.samplesPerChannel {
      let factor = gain + step * Float(index)
      for channel in 0..<frame.channelCount { frame[channel, index] *= factor }
    }
    gain = target
    return true
  }
}

@main
enum Program {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      try gate(arguments.first ?? "-", to: arguments.dropFirst().first ?? "-")
    } catch {
      FileHandle.standardError.write(Data("NoiseGate: \(error)\n".utf8))
      exit(1)
    }
  }

  static func gate(_ input: String, to output: String) throws(AudioError) {
    let session = Session()
    try session.setLocal(SoundFileSource(path: input))
    try session.register(NoiseGate(threshold: -50))
    try session.setSink(
      SoundFileSink(path: output, format: try FileFormat(.wav, .s16)), at: .publish)
    _ = try session.run()
  }
}
