// SPDX-License-Identifier: Apache-2.0
// Records a voice that another program gives as bytes, 16 kHz mono in 16-bit integers, as SDKs for calls do:
//
//     rawaudio convert voice.flac -t raw -f s16 -r 16000 -c 1 -o - | swift run VoiceBridge voice.wav

import AudioCore
import AudioFiles
import Foundation

/// Hands on bytes as they come, in an encoding that they are in anyway.
func bridge(from input: FileHandle, to sender: PushSender) throws(AudioError) {
  guard sender.waitForStart() else { return }
  while true {
    let bytes = [UInt8](input.readData(ofLength: 3_200))
    if bytes.isEmpty { break }
    _ = try sender.sendWaiting(bytes: bytes, as: SampleLayout(.s16, .little))
  }
  sender.finish()
}

@main
enum Program {
  static func main() {
    do {
      try record(to: CommandLine.arguments.dropFirst().first ?? "-")
    } catch {
      fail(error)
    }
  }

  static func record(to path: String) throws(AudioError) {
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 16_000, channelCount: 1))
    let sender = microphone.sender
    Thread.detachNewThread {
      do { try bridge(from: .standardInput, to: sender) } catch { fail(error) }
    }

    let session = Session()
    try session.setLocal(microphone)
    try session.setSink(SoundFileSink(path: path, format: try FileFormat(.wav, .s16)), at: .publish)
    var samples: [Int16] = []
    let shape = FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    try session.observe(at: .record, as: shape) { (frame: inout AudioFrame<Int16>) in
      samples += frame.copy().samples
    }
    _ = try session.run()
    print("\(samples.count) samples, the loudest \(samples.map(\.magnitude).max() ?? 0)")
  }

  static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("VoiceBridge: \(error)\n".utf8))
    exit(1)
  }
}
