// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// A recording in parts on a disk that is full for a time, in virtual time; see Tests/Simulation/README.md.
@Suite(.needsVirtualCard) struct FullDiskTests {
  private static let library = VirtualCard.folder.appending(path: "simulation.so").path
  private static let length = 20 * 8_000

  /// Mono, 8 kHz: sample k is k.
  private func record(
    _ options: String, faults: String, in bench: CardBench? = nil
  ) throws -> (bench: CardBench, run: ProcessRun) {
    let bench = try bench ?? CardBench(["SPEED": "1"])
    let run = try bench.pipeline(
      "SIMULATION_FAULTS='\(faults)' LD_PRELOAD='\(Self.library)' rawaudio capture -D card "
        + "-r 8000 -c 1 -d 20 --json \(options)")
    return (bench, run)
  }

  private func samples(of name: String, in bench: CardBench) throws -> [Int] {
    let read = try bench.pipeline("rawaudio convert \(name) -t raw -f s32 -o -")
    #expect(read.ending == .exit(0), "\(name): \(read.standardError)")
    return stride(from: 0, to: read.standardOutput.count, by: 4).map {
      littleEndian(read.standardOutput, at: $0, 4)
    }
  }

  /// The ranges that lines of one event state.
  private func ranges(
    _ run: ProcessRun, of event: String, _ position: String, _ length: String
  ) throws -> [(name: String, range: Range<Int>)] {
    try run.standardError.split(separator: "\n").compactMap { line in
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        object["event"] as? String == event
      else { return nil }
      let begin = try #require(object[position] as? Int)
      let count = try #require(object[length] as? Int)
      return ((object["path"] ?? object["name"]) as? String ?? "", begin..<begin + count)
    }
  }

  /// Every sample is in a part, or in a gap that is told; no file is empty.
  @Test(arguments: ["wav", "flac"], ["--on-full wait --split signal", "--reopen --split 1"])
  func itGoesOnWhenThereIsRoom(type: String, options: String) throws {
    let isFlac = type == "flac"
    let (bench, run) = try record(
      "-f \(isFlac ? "s24" : "s32") \(options) -o p%03d.\(type)", faults: "2300:full:10000")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let parts = try ranges(run, of: "part", "position", "samplesPerChannel")
    let gaps = try ranges(run, of: "output-gap", "samplePosition", "lostSamples")
    #expect(!gaps.isEmpty && gaps.allSatisfy { $0.name == "p%03d.\(type)" })
    let lost = gaps.reduce(0) { $0 + $1.range.count }
    // The last pages of a disk hold seconds of a counter in FLAC.
    #expect(((isFlac ? 2 : 7) * 8_000...14 * 8_000).contains(lost))
    var end = 0
    for (name, range) in (parts + gaps).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      #expect(range.lowerBound == end)
      end = range.upperBound
      guard parts.contains(where: { $0.name == name }) else { continue }
      let scale = isFlac ? 256 : 1
      #expect(try samples(of: name, in: bench) == range.map { $0 * scale })
      // A strict decoder finds no torn frame.
      if isFlac {
        let check = try bench.pipeline("env -u LD_PRELOAD flac -ts \(name)")
        #expect(check.ending == .exit(0), "\(check.standardError)")
      }
    }
    #expect(end == Self.length)
    #expect(bench.names.filter { $0.hasPrefix("p") } == parts.map(\.name).sorted())
    #expect(
      run.standardError.split(separator: "\n").filter { $0.contains("waiting for room") }.count == 1
    )
  }

  /// The disk is full until the recording ends.
  @Test func theEndIsToldToo() throws {
    let (bench, run) = try record(
      "--on-full wait --metrics figures.prom -o p%03d.flac", faults: "3000:full:100000")
    #expect(run.ending == .exit(0))
    let parts = try ranges(run, of: "part", "position", "samplesPerChannel")
    let gaps = try ranges(run, of: "output-gap", "samplePosition", "lostSamples")
    #expect(parts.map(\.name) == ["p000.flac"])
    let end = try #require(parts.first).range.upperBound
    #expect(gaps.last?.range.upperBound == Self.length)
    #expect(gaps.first?.range.lowerBound == end)
    let figures = String(decoding: try bench.bytes(of: "figures.prom"), as: UTF8.self)
    #expect(
      figures.contains(
        "\nrawaudio_output_lost_samples_total{output=\"p%03d.flac\"} \(Self.length - end)\n"))
    #expect(bench.names.filter { $0.hasPrefix("p") } == ["p000.flac"])
  }

  /// A service begins again every five seconds: a run that finds no room leaves no file without samples.
  @Test(arguments: ["wav", "flac"], 1...8)
  func aRunThatFailsAtOnceLeavesNoEmptyFile(type: String, seed: Int) throws {
    var bench = try CardBench(["SPEED": "1"])
    bench.variables = ["SIMULATION_SEED": "\(seed)"]
    // The disk has room for less than 8192 bytes.
    let (_, run) = try record("-f s24 -o p%03d.\(type)", faults: "0:full:100000", in: bench)
    #expect(run.ending == .exit(1))
    #expect(run.standardError.contains("no space left on device"))
    for name in bench.names where name.hasPrefix("p") {
      let samples = try samples(of: name, in: bench)
      #expect(!samples.isEmpty && samples == samples.indices.map { $0 * 256 })
    }
  }

  /// Old parts go at once, and only as many as are needed.
  @Test func oldPartsMakeRoom() throws {
    let bench = try CardBench(["SPEED": "1"])
    for number in 0..<4 {
      try bench.write([UInt8](repeating: 0, count: 5_000), to: "p00\(number).wav")
    }
    let (_, run) = try record(
      "--on-full wait --keep free=4kB -o p%03d.wav", faults: "3000:full:1500", in: bench)
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.contains(
        #""event":"part-removed","name":"p%03d.wav","path":"p000.wav","bytes":5000,"cause":"free","error":null}"#
      ))
    #expect(!bench.exists("p000.wav"))
    #expect(bench.exists("p003.wav"))
  }

  /// A file has its largest size: the next part goes on at once, behind the samples that were on their way.
  @Test func aFileThatMayNotGrow() throws {
    let fed = DeviceBytes.noise(4 * 100_000)
    let bench = try CardBench(input: fed)
    let run = try bench.pipeline(
      "trap '' XFSZ; ulimit -f 100; rawaudio capture -D card -r 44100 -d 100000S --on-full wait --json"
        + " -o p%03d.wav")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let parts = try ranges(run, of: "part", "position", "samplesPerChannel")
    let gaps = try ranges(run, of: "output-gap", "samplePosition", "lostSamples")
    // A busy machine has more samples on their way.
    #expect(parts.count >= 2)
    for (name, range) in parts {
      let part = try bench.wave(name).samples
      #expect(firstDifference(part, fed[4 * range.lowerBound..<4 * range.upperBound]) == nil)
    }
    let all = (parts + gaps).map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    #expect(all.first?.lowerBound == 0 && all.last?.upperBound == 100_000)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
  }

  @Test func aSingleFileCannotWait() throws {
    let bench = try CardBench()
    let run = try bench.run("capture", "-D", "card", "--on-full", "wait", "-o", "take.wav")
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains("'--on-full wait' goes on in a new file"))
    let channels = try bench.run(
      "capture", "-D", "card", "--on-full", "wait", "--split", "channels", "-o",
      "{channel}-%03d.wav")
    #expect(channels.ending == .exit(64))
    #expect(channels.standardError.contains("'--on-full wait' does not go with '--split channels'"))
  }
}
