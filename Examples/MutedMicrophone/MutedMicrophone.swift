// SPDX-License-Identifier: Apache-2.0
// Sends to a session, is muted and heard again, and tells what a virtual microphone is told:
//
//     swift run MutedMicrophone meeting.wav

import AudioCore
import AudioFiles
import Foundation

/// Is told when to send: at the start, and whenever it is heard again.
func microphone(in live: LiveSession) throws(AudioError) -> PushSource {
  let stopped = DispatchSemaphore(value: 0)
  return PushSource(
    format: try StreamFormat(sampleRate: 16_000, channelCount: 1),
    initialize: { sender in
      print("initialize")
      Thread.detachNewThread {
        do { try speak(to: sender, in: live, until: stopped) } catch { Program.fail(error) }
      }
      return true
    },
    start: { print("start") },
    stop: {
      print("stop")
      stopped.signal()
    },
    dispose: { print("dispose") })
}

/// Sends half a second before it is muted, and half a second afterwards.
func speak(
  to sender: PushSender, in live: LiveSession, until stopped: DispatchSemaphore
) throws(AudioError) {
  let samples = [Int16](repeating: 1_000, count: 8_000)
  guard sender.waitForStart() else { return }
  _ = try sender.sendWaiting(samples)
  try live.setMuted(true, of: "hall/anna")
  stopped.wait()
  // To send now would be an error.
  try live.setMuted(false, of: "hall/anna")
  guard sender.waitForStart() else { return }
  _ = try sender.sendWaiting(samples)
  sender.finish()
}

@main
enum Program {
  static func main() {
    do {
      try meet(CommandLine.arguments.dropFirst().first ?? "-")
    } catch {
      fail(error)
    }
  }

  static func meet(_ path: String) throws(AudioError) {
    let session = Session()
    let source = try microphone(in: session.live)
    try session.addRemote(source, id: "anna", group: "hall")
    try session.setSink(
      SoundFileSink(path: path, format: try FileFormat(.wav, .s16)), at: .playback)
    session.onEvent = { event in
      if case .muted(let participant) = event { print("\(participant.key) is muted") }
      if case .unmuted(let participant) = event { print("\(participant.key) is heard again") }
    }
    _ = try session.run()
    print("\(source.statistics.takenSamplesPerChannel) samples")
  }

  static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("MutedMicrophone: \(error)\n".utf8))
    exit(1)
  }
}
