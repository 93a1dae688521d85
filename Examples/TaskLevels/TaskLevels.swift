// SPDX-License-Identifier: Apache-2.0
// Prints the level of a recording ten times a second, in a task beside the one that runs the session:
//
//     swift run TaskLevels interview.flac

import AudioCore
import AudioFiles
import AudioTasks
import Foundation

/// Takes frames that it owns, in any task: the session's thread does not wait for it.
func printLevels(of frames: FrameSequence<Float>) async {
  for await frame in frames {
    var level = Level()
    level.add(frame.samples)
    if frame.droppedFrames > 0 { print("\(frame.droppedFrames) frames were dropped here") }
    print(String(format: "%6d ms %6.1f dBFS", frame.renderTime, level.rmsDecibels))
  }
}

@main
enum Program {
  static func main() async {
    do {
      let report = try await listen(to: CommandLine.arguments.dropFirst().first ?? "-")
      print("\(report.sources[0].samplesPerChannel) samples per channel")
    } catch {
      FileHandle.standardError.write(Data("TaskLevels: \(error)\n".utf8))
      exit(1)
    }
  }

  static func listen(to path: String) async throws(AudioError) -> SessionReport {
    let session = Session()
    try session.setLocal(SoundFileSource(path: path))
    let frames = try session.frames(
      at: .record,
      as: FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_600))
    let listening = Task { await printLevels(of: frames) }
    // A thread of its own runs the session. Where this task is cancelled the session finishes.
    let report = try await session.run()
    await listening.value
    return report
  }
}
