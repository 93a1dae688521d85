// SPDX-License-Identifier: Apache-2.0
// Plays files to a program instead of a sound card. The program reads every 10 ms, like an audio
// callback: the mix, and beside it every voice by itself. At the end it prints what it heard.
//
//     swift run HostPlayback alice.wav bob.wav

import AudioCore
import AudioFiles
import Foundation

/// One of the streams that the host reads.
struct Hearing {
  let name: String
  let reader: PullReader
  var level = Level()

  /// Reads what a callback would have to fill; what is not there in time is silence.
  mutating func read(into buffer: inout [Float]) throws(AudioError) {
    var samples = buffer.mutableSpan
    let read = try reader.read(into: &samples)
    level.add(buffer.span.extracting(first: read.samplesPerChannel * 2))
  }
}

/// Reads all streams to their end and prints how long, in samples per channel, and how loud they were.
func listen(to streams: [Hearing]) throws(AudioError) {
  var hearings = streams
  var buffer = [Float](repeating: 0, count: 480 * 2)
  while !hearings.allSatisfy({ $0.reader.isEnded }) {
    for index in hearings.indices where hearings[index].reader.format != nil {
      try hearings[index].read(into: &buffer)
    }
    Thread.sleep(forTimeInterval: 0.01)
  }
  for hearing in hearings {
    let peak = String(format: "%.1f", hearing.level.peakDecibels)
    print("\(hearing.name): \(hearing.level.samples / 2) samples, peak \(peak) dBFS")
  }
}

@main
enum Program {
  static func main() {
    do {
      try play(CommandLine.arguments.dropFirst())
    } catch {
      fail(error)
    }
  }

  static func play(_ files: ArraySlice<String>) throws(AudioError) {
    let session = Session()
    let speaker = VirtualSpeaker(format: try StreamFormat(sampleRate: 48_000, channelCount: 2))
    try speaker.attach(to: session)
    var hearings = [Hearing(name: "together", reader: speaker.mixed)]
    for (index, file) in files.enumerated() {
      let voice = SourceKey(ordinal: index + 1)
      try session.addRemote(SoundFileSource(path: file), id: voice.id)
      hearings.append(Hearing(name: "voice \(voice)", reader: speaker.reader(for: voice)))
    }

    let host = DispatchGroup()
    DispatchQueue.global().async(group: host) { [hearings] in
      do { try listen(to: hearings) } catch { fail(error) }
    }
    _ = try session.run()
    host.wait()
  }

  static func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("HostPlayback: \(error)\n".utf8))
    exit(1)
  }
}
