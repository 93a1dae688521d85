// SPDX-License-Identifier: Apache-2.0
// Makes a tone when it is asked for samples, turns it down and taps it, like nodes of an audio engine:
//
//     swift run RenderedTone tone.wav

import AudioCore
import AudioFiles
import Foundation

/// Two seconds of 440 Hz.
func tone() throws(AudioError) -> CustomSource<Float> {
  var position = 0
  return CustomSource(format: try StreamFormat(sampleRate: 48_000, channelCount: 1)) { output in
    let end = min(position + output.freeCapacity, 96_000)
    if position == end { return .ended }
    for index in position..<end {
      output.append(Float(0.5 * sin(2 * Double.pi * 440 * Double(index) / 48_000)))
    }
    position = end
    return .ready
  }
}

@main
enum Program {
  static func main() {
    do {
      try render(to: CommandLine.arguments.dropFirst().first ?? "-")
    } catch {
      FileHandle.standardError.write(Data("RenderedTone: \(error)\n".utf8))
      exit(1)
    }
  }

  static func render(to path: String) throws(AudioError) {
    let session = Session()
    try session.setLocal(try tone())
    try session.setSink(SoundFileSink(path: path, format: try FileFormat(.wav, .s16)), at: .publish)

    // What is left in the frame goes on.
    try session.observe(at: .record, as: .readWrite) { frame in
      for index in frame.samples.indices { frame.samples[index] *= 0.5 }
    }
    // It comes after the one above, and hears what that left.
    let tap = try session.observe(at: .record, as: FrameParameters(samplesPerCall: 4_800)) {
      frame in
      var level = Level()
      level.add(frame.samples.span)
      print(String(format: "%6d ms %6.1f dBFS", frame.renderTime, level.peakDecibels))
    }
    _ = try session.run()
    print("\(tap.statistics[.record]?.calls ?? 0) calls")
  }
}
