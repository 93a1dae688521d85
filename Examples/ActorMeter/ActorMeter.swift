// SPDX-License-Identifier: Apache-2.0
// Plays recordings beside each other in an open session, and shows who is there and how loud it is, from an actor:
//
//     swift run ActorMeter alice.wav bob.wav

import AudioFiles
import AudioFoundation
import AudioTasks
import Foundation

/// The model of a view, which only the main actor touches. The session is made on the thread that runs it.
@MainActor final class MeterModel {
  private var present: Set<SourceID> = []
  private var loudest = -Double.infinity

  func play(_ paths: [String]) async throws(AudioError) {
    let (report, tasks) = try await Session.run { session in
      session.end = .whenEmpty
      let frames = try session.frames(
        at: .playback, as: FrameParameters(channelCount: 1, samplesPerCall: 4_800))
      let events = session.live.events
      for (number, path) in paths.enumerated() {
        try session.live.addRemote(SoundFileSource(path: path), id: SourceID("\(number + 1)"))
      }
      return [Task { await self.show(frames) }, Task { await self.follow(events) }]
    }
    for task in tasks { await task.value }
    print(String(format: "%d played, the loudest %.1f dBFS", report.sources.count, loudest))
  }

  private func show(_ frames: FrameSequence<Float>) async {
    for await frame in frames {
      var level = Level()
      for sample in frame.samples { level.add(Double(sample)) }
      loudest = max(loudest, level.rmsDecibels)
    }
  }

  private func follow(_ events: EventSequence) async {
    for await event in events {
      switch event {
      case .joined(let participant): present.insert(participant.id)
      case .left(let participant, let reason):
        present.remove(participant.id)
        if let reason { print(reason.localizedDescription) }
      default: continue
      }
      print("present: \(present.map(\.description).sorted().joined(separator: " "))")
    }
  }
}

@main
enum Program {
  static func main() async {
    do {
      try await MeterModel().play(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("ActorMeter: \(error)\n".utf8))
      exit(1)
    }
  }
}
