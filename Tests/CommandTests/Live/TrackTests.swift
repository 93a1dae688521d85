// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// `session --tracks`: files for each of several devices, in virtual time.
@Suite(.needsVirtualCard) struct TrackTests {
  private static let library = VirtualCard.folder.appending(path: "simulation.so").path

  /// The samples of a file, which are the numbers of the card's frames, modulo 2^16.
  private func samples(_ name: String, in bench: CardBench) throws -> [Int] {
    let bytes = try bench.wave(name).samples
    // The first channel of two.
    return stride(from: 0, to: bytes.count, by: 4).map { littleEndian(bytes, at: $0, 2) & 0xffff }
  }

  /// Three cards, of which one loses samples: each has parts of its own, and keeps to its own clock.
  @Test func threeCardsInPartsOfTheirOwn() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try bench.pipeline(
      "TZ=UTC0 LD_PRELOAD='\(Self.library)' rawaudio session --remote a=alsa:card:LOG=a.log"
        + " --remote \"yard/b=alsa:card:LOG=b.log,EVENTS='60000:xrun'\""
        + " --remote c=alsa:card:LOG=c.log --tracks '{source}_%03d.wav' --split 1 -d 4 --json")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    for source in ["a", "yard-b", "c"] {
      let names = (0..<4).map { "\(source)_00\($0).wav" }
      #expect(bench.names.filter { $0.hasPrefix("\(source)_") } == names)
      let parts = try names.map { try samples($0, in: bench) }
      #expect(parts.map(\.count) == [48_000, 48_000, 48_000, 48_000], "\(source)")
      let all = parts.flatMap(\.self)
      guard source == "yard-b" else {
        let areWhole = all.indices.allSatisfy { all[$0] == (all[0] + $0) & 0xffff }
        #expect(areWhole, "\(source)")
        continue
      }
      // What is behind the gap stands where the card counted it.
      let gap = try #require(
        run.standardError.firstMatch(
          of:
            /"event":"gap","source":"b","group":"yard",.*?"samplePosition":(\d+).*?"lostSamples":(\d+)/
        ))
      let (begin, length) = (try #require(Int(gap.1)), try #require(Int(gap.2)))
      #expect(all[..<begin].enumerated().allSatisfy { $1 == (all[0] + $0) & 0xffff })
      #expect(all[begin..<begin + length].allSatisfy { $0 == 0 })
      #expect(begin + length < all.count)
    }
    for card in ["a", "b", "c"] { #expect(try bench.counts("\(card).log")["xruns"] != nil) }
    // The parts of devices say when they were recorded.
    let info = try bench.pipeline("rawaudio info c_001.wav")
    #expect(info.outputText.contains("2023-11-14"), "\(info.outputText)")
    let count = run.standardError.matches(
      of: /"event":"part","place":"track of (?:a|yard\/b|c)"/
    ).count
    #expect(count == 12)
  }

  @Test func filesOfFiles() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "session", "--remote", "hall/anna=tone:440", "--remote", "tone:500", "--shared",
      "silence:", "-d", "1", "--tracks", "t-{source}.wav", "--playback", "sum.wav")
    run.expectExit(0)
    #expect(
      bench.names.filter { $0.hasSuffix(".wav") } == [
        "sum.wav", "t-2.wav", "t-hall-anna.wav", "t-shared.wav",
      ])
    #expect(try bench.pipeline("cmp sum.wav t-2.wav").ending != .exit(0))
  }

  @Test func mistakes() {
    func refusal(_ words: String...) -> String? { SessionCommand.refusal(of: words) }
    #expect(
      refusal("--remote", "tone:440", "-d", "1", "--tracks", "t.wav")
        == "The value 't.wav' is invalid for '--tracks <pattern>': the name of each source's file needs {source}, as in track-{source}.wav"
    )
    #expect(
      refusal("--local", "tone:440", "-d", "1", "--tracks", "{source}.wav")
        == "'--tracks <pattern>' needs '--remote <[group/][id=]source>' or '--shared <[group/][id=]source>'"
    )
  }
}
