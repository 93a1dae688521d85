// SPDX-License-Identifier: Apache-2.0
// Prints how loud your voice is, a hundred times a second and until Ctrl-C; or a voice in a file:
//
//     swift run OwnVoice [voice.wav]

import AudioCore
import AudioDevices
import AudioFiles
import Foundation

@main
enum OwnVoice {
  static func main() {
    let shape = FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    do {
      let session = Session()
      try session.setLocal(source(CommandLine.arguments.dropFirst().first))
      try session.observe(at: .record, as: shape) { (frame: inout AudioFrame<Int16>) in
        let samples = frame.copy().samples
        let loudest = samples.map(\.magnitude).max() ?? 0
        print("\(frame.renderTime) ms: \(samples.count) samples, the loudest \(loudest)")
      }
      _ = try session.run()
    } catch {
      FileHandle.standardError.write(Data("OwnVoice: \(error)\n".utf8))
      exit(1)
    }
  }

  static func source(_ path: String?) -> any AudioSource {
    path.map { SoundFileSource(path: $0) } ?? AlsaSource(device: "default")
  }
}
