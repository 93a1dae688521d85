// SPDX-License-Identifier: Apache-2.0
// Sends a tone from a thread of its own through a push source into a sound file:
//
//     swift run PushTone tone.wav

import AudioCore
import AudioFiles
import Foundation

/// Sends two seconds of 440 Hz in pieces of 10 ms, like a program that makes its sound as it goes.
func sendTone(to sender: PushSender) throws(AudioError) {
  guard sender.waitForStart() else { return }
  for piece in 0..<200 {
    let samples = (0..<480).map { index in
      let time = Double(piece * 480 + index) / 48_000
      return 0.5 * sin(2 * Double.pi * 440 * time)
    }
    _ = try sender.sendWaiting(samples)
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

  /// Runs a session from the microphone to a file; it ends when the sender has finished.
  static func record(to path: String) throws(AudioError) {
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1))
    let sender = microphone.sender
    Thread.detachNewThread {
      do { try sendTone(to: sender) } catch { fail(error) }
    }
    let session = Session()
    try session.setLocal(microphone)
    try session.setSink(SoundFileSink(path: path, format: try FileFormat(.wav, .s16)), at: .publish)
    _ = try session.run()
  }

  static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("PushTone: \(error)\n".utf8))
    exit(1)
  }
}
