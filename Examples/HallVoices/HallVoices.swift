// SPDX-License-Identifier: Apache-2.0
// Hears every user of two groups by itself, and the music that both share. Each group has an anna:
//
//     swift run HallVoices anna.wav ben.wav music.wav

import AudioCore
import AudioFiles
import Foundation

/// Gets the group and the id of each source with its frames.
final class Listener: BeforeMixingObserver, SharedObserver {
  private(set) var samples: [String: Int] = [:]

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
  }

  func beforeMixing(_ frame: inout AudioFrame<Int16>, from source: SourceKey) -> Bool {
    samples["\(source)", default: 0] += frame.samples.count
    return true
  }

  func shared(_ frame: inout AudioFrame<Int16>) {
    samples["all that is shared", default: 0] += frame.samples.count
  }
}

@main
enum Program {
  static func main() {
    do {
      try listen(to: Array(CommandLine.arguments.dropFirst()))
    } catch {
      fail(error)
    }
  }

  static func listen(to files: [String]) throws(AudioError) {
    guard files.count == 3 else { fail("name a file for each anna, and one with music") }
    let session = Session()
    try session.addRemote(SoundFileSource(path: files[0]), id: "anna", group: "hall")
    try session.addRemote(SoundFileSource(path: files[1]), id: "anna", group: "room")
    try session.addShared(SoundFileSource(path: files[2]), id: "music")

    let listener = Listener()
    let first = try session.register(listener)
    // A second registration of one object replaces the first, so that it is not called twice.
    let second = try session.register(listener)
    _ = try session.run()
    for (name, count) in listener.samples.sorted(by: { $0.key < $1.key }) {
      print("\(name): \(count) samples")
    }
    print(first === second ? "one registration" : "two registrations")
  }

  static func fail(_ reason: some CustomStringConvertible) -> Never {
    FileHandle.standardError.write(Data("HallVoices: \(reason)\n".utf8))
    exit(1)
  }
}
