// SPDX-License-Identifier: Apache-2.0
// Records a meeting: a track for each participant, and one for all of them together. The first file is the local
// source, in place of a microphone:
//
//     swift run MeetingTracks host.wav alice.wav bob.wav
//
// writes track-local.wav, track-alice.wav, track-bob.wav and meeting.wav.

import AudioCore
import AudioFiles
import Foundation

@main
enum Program {
  static func main() {
    let files = Array(CommandLine.arguments.dropFirst())
    guard let host = files.first else {
      fail("name the host's file, then the others'")
    }
    do {
      try record(host, with: files.dropFirst())
    } catch {
      fail(error)
    }
  }

  static func record(_ host: String, with others: ArraySlice<String>) throws(AudioError) {
    let session = Session()
    try session.setLocal(SoundFileSource(path: host))
    for file in others {
      try session.addRemote(SoundFileSource(path: file), id: try name(of: file))
    }

    // One file for each stream, in its own format, before anything is mixed.
    let tracks = try TapFiles(pattern: "track-%s.wav")
    try session.register(
      TapObserver([.record, .beforeMixing], to: tracks.sink, on: try BackgroundWriter()))

    let meeting = SoundFileSink(path: "meeting.wav", format: try FileFormat(.wav, .s16))
    try session.setSink(meeting, at: .mixed)

    let report = try session.run()
    for source in report.sources {
      print("\(source.id): \(source.samplesPerChannel) samples at \(source.format)")
    }
    print("meeting.wav: \(meeting.samplesPerChannel) samples, \(meeting.clippedSamples) clipped")
  }

  /// The file's name without its extension.
  static func name(of file: String) throws(AudioError) -> SourceID {
    try SourceID(URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent)
  }

  static func fail(_ reason: some CustomStringConvertible) -> Never {
    FileHandle.standardError.write(Data("MeetingTracks: \(reason)\n".utf8))
    exit(1)
  }
}
