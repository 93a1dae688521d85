// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Recordings in virtual time from the sample-numbering card onto a failing disk; see Tests/Simulation/README.md.
@Suite(.needsVirtualCard) struct SimulatedRecordingTests {
  private static let library = VirtualCard.folder.appending(path: "simulation.so").path

  /// Mono, 8 kHz: sample k is k.
  private func record(
    _ options: String, encoding: String = "s32", faults: String, card: String = "",
    stopsAtOverrun stops: String = "0"
  ) throws -> Recording {
    let bench = try CardBench(["SPEED": "1", "EVENTS": card, "STOP_AT_OVERRUN": stops])
    let run = try bench.pipeline(
      "SIMULATION_FAULTS='\(faults)' LD_PRELOAD='\(Self.library)' rawaudio capture -D card "
        + "-r 8000 -c 1 -f \(encoding) --json \(options)")
    return Recording(bench: bench, run: run)
  }

  private struct Recording {
    let bench: CardBench
    let run: ProcessRun

    /// Returns the samples of a file, read by the program itself.
    func samples(of name: String) throws -> [Int] {
      let read = try bench.pipeline("rawaudio convert \(name) -t raw -f s32 -o -")
      #expect(read.ending == .exit(0))
      return stride(from: 0, to: read.standardOutput.count, by: 4).map {
        littleEndian(read.standardOutput, at: $0, 4)
      }
    }
  }

  /// From some write on even the header cannot change: the samples covered by the last header remain.
  @Test(arguments: ["wav", "aiff", "au", "caf", "flac"], 9...14)
  func aDiskThatFailsForGood(type: String, write: Int) throws {
    let isFlac = type == "flac"
    let recording = try record(
      "-d 20 -o take.\(type)", encoding: isFlac ? "s24" : "s32", faults: "#\(write):eio:100000")
    #expect(recording.run.ending == .exit(1))
    let told = try #require(
      recording.run.standardError.firstMatch(
        of: /take\.\w+': input\/output error; the first (\d+) samples per channel are kept\n/))
    let kept = try #require(Int(told.1))
    let samples = try recording.samples(of: "take.\(type)")
    #expect(samples.count == kept)
    let scale = isFlac ? 256 : 1
    let areRight = samples.indices.allSatisfy { samples[$0] == $0 * scale }
    #expect(areRight)
    #expect(kept > 0)
  }

  /// After a brief failure of the disk the header still states the length.
  @Test func aDiskThatFailsForAMoment() throws {
    let recording = try record("-d 5 -o take.wav", faults: "1700:eio:600")
    #expect(recording.run.ending == .exit(1))
    let samples = try recording.samples(of: "take.wav")
    let areRight = samples.indices.allSatisfy { samples[$0] == $0 }
    #expect(areRight)
    #expect(samples.count > 7_000)
  }

  /// Memory holds a minute, in addition to 33 s in one ring and 4 s in the other.
  @Test(arguments: ["wav", "flac"])
  func aDiskThatStandsStillCostsNothing(type: String) throws {
    let isFlac = type == "flac"
    let recording = try record(
      "-d 100 -o take.\(type)", encoding: isFlac ? "s24" : "s32", faults: "2000:stuck:80000")
    #expect(recording.run.ending == .exit(0))
    #expect(!recording.run.standardError.contains("\"event\":\"gap\""))
    let samples = try recording.samples(of: "take.\(type)")
    let scale = isFlac ? 256 : 1
    #expect(samples.count == 800_000)
    let areRight = samples.indices.allSatisfy { samples[$0] == $0 * scale }
    #expect(areRight)
  }

  /// Samples that come after the memory is full are lost and reported; all others are in the file.
  @Test func aDiskThatStandsStillForTooLong() throws {
    let recording = try record("-d 200 -o take.wav", faults: "2000:stuck:150000")
    #expect(recording.run.ending == .exit(0))
    let gap = try #require(
      recording.run.standardError.firstMatch(
        of: /"event":"gap".*?"cause":"overflow","samplePosition":(\d+).*?"lostSamples":(\d+)/))
    let (begin, length) = try (#require(Int(gap.1)), #require(Int(gap.2)))
    #expect((90 * 8_000...105 * 8_000).contains(begin))
    let samples = try recording.samples(of: "take.wav")
    #expect(samples.count == 1_600_000)
    let areRight = samples.indices.allSatisfy {
      samples[$0] == ((begin..<begin + length).contains($0) ? 0 : $0)
    }
    #expect(areRight)
  }

  /// The time of arrival counts, not the time of the write: parts keep their places on the clock.
  @Test(arguments: [13_000, 40_000])
  func aDiskThatStandsStillMovesNoPart(milliseconds: Int) throws {
    func parts(_ faults: String) throws -> [(name: String, length: Int)] {
      let recording = try record("--split 15sec -d 120 -o %H%M%S.wav", faults: faults)
      #expect(recording.run.ending == .exit(0))
      return recording.run.standardError.matches(
        of: /"event":"part".*?"path":"([^"]*)".*?"samplesPerChannel":(\d+)/
      ).map { (String($0.1), Int($0.2) ?? 0) }
    }
    let (usual, moved) = try (parts(""), parts("20000:stuck:\(milliseconds)"))
    #expect(usual.count > 8)
    #expect(usual.map(\.name) == moved.map(\.name))
    #expect(
      usual.dropFirst().allSatisfy {
        ["00", "15", "30", "45"].contains($0.name.dropLast(4).suffix(2))
      })
    // The delay of the threads varies by chance: 2 ms.
    #expect(zip(usual, moved).allSatisfy { abs($0.length - $1.length) <= 16 })
    #expect(moved.reduce(0) { $0 + $1.length } == 960_000)
  }

  /// The samples between two suspends lie between their gaps.
  @Test func twoSleepsInARow() throws {
    let recording = try record(
      "--period-size 800 -d 2 -o take.wav", faults: "", card: "3337:suspend +426:suspend")
    #expect(recording.run.ending == .exit(0))
    let gaps = recording.run.standardError.matches(
      of: /"event":"gap".*?"samplePosition":(\d+).*?"lostSamples":(\d+).*?"uncertainty":(\d+)/)
    let places = gaps.compactMap { Int($0.1) }
    #expect(places.count == 2)
    let samples = try recording.samples(of: "take.wav")
    var place = 0
    for gap in gaps {
      let (begin, length) = try (#require(Int(gap.1)), #require(Int(gap.2)))
      let bound = try #require(Int(gap.3))
      let offset = samples[place] - place
      #expect(abs(offset) <= bound)
      let areRight = (place..<begin).allSatisfy { samples[$0] == $0 + offset }
      #expect(areRight)
      place = begin + length
    }
    #expect(places.first == 3_337)
  }

  /// The device's thread is stopped for longer than a device may stall: the recording goes on, with a gap.
  @Test(arguments: ["0", "1"])
  func aThreadThatIsKeptAway(stops: String) throws {
    let recording = try record(
      "-d 20 -o take.wav", faults: "2000:late:capture:12000", stopsAtOverrun: stops)
    #expect(recording.run.ending == .exit(0))
    let samples = try recording.samples(of: "take.wav")
    #expect(samples.count == 160_000)
    #expect(samples.last.map { abs($0 - 159_999) <= 50 } == true)
  }
}
