// Prints the level of a recording ten times a second, as a speech recogniser would hear it:
//
//     swift run SpeechLevel interview.flac

import AudioCore
import Foundation

/// Sees the audio at 16 kHz, mono, in calls of 100 ms, whatever the file holds.
final class SpeechLevel: AudioFrameObserver {
  let positions = ObservationPositions.record

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_600)
  }

  func record(_ frame: inout AudioFrame<Float>) -> Bool {
    var energy: Float = 0
    for index in frame.samples.indices { energy += frame.samples[index] * frame.samples[index] }
    let level = 10 * log10(max(energy / Float(frame.samplesPerChannel), 1e-12))
    print("\(frame.renderTime) ms: \(level.rounded()) dBFS")
    return true
  }
}

@main
enum Program {
  static func main() {
    let session = Session()
    session.setLocal(SoundFileSource(path: CommandLine.arguments.last ?? "-"))
    session.register(SpeechLevel())
    do {
      _ = try session.run()
    } catch {
      print(error)
    }
  }
}
