// SPDX-License-Identifier: Apache-2.0
// Prints the level of a recording ten times a second, as a speech recogniser would hear it:
//
//     swift run SpeechLevel interview.flac

import AudioCore
import AudioFiles
import Foundation

/// Sees the audio at 16 kHz, mono, in calls of 100 ms, whatever the file holds.
final class SpeechLevel: RecordObserver {
  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_600)
  }

  func record(_ frame: inout AudioFrame<Float>) -> Bool {
    var level = Level()
    level.add(frame.samples.span)
    print(String(format: "%6d ms %6.1f dBFS", frame.renderTime, level.rmsDecibels))
    return true
  }
}

@main
enum Program {
  static func main() {
    do {
      let session = Session()
      try session.setLocal(SoundFileSource(path: CommandLine.arguments.dropFirst().first ?? "-"))
      try session.register(SpeechLevel())
      _ = try session.run()
    } catch {
      FileHandle.standardError.write(Data("SpeechLevel: \(error)\n".utf8))
      exit(1)
    }
  }
}
