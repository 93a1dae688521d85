// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

import AudioKernels
@testable import AudioStreams
@testable import AudioCore
@testable import AudioPrograms

/// Streams that never wait. The programs add 97 to the stream's bytes, which count from 0 to 96: every sample tells
/// whether the program answered, and with which sample. Gates set the time of the answer.
@Suite struct LiveProgramTests {
  private let scratch = ScratchDirectory()
  private let gate: Gate
  private let answered: Gate
  private let filter = "LC_ALL=C tr '\\000-\\140' '\\141-\\301'"

  init() throws {
    gate = try Gate(scratch, "gate")
    answered = try Gate(scratch, "answered")
  }

  private func original(_ range: Range<Int>) -> [Double] {
    range.map { (Double($0 % 97) - 128) / 128 }
  }

  private func answer(_ range: Range<Int>) -> [Double] {
    range.map { (Double($0 % 97) + 97 - 128) / 128 }
  }

  private func harness(
    _ command: String, mode: ObserverMode = .readWrite, latency: Int = 150,
    timeout: Duration = .seconds(60)
  ) throws -> ProgramHarness<Float> {
    try ProgramHarness(
      command, layout: SampleLayout(.u8), mode: mode, latency: latency, timeout: timeout,
      isLive: true)
  }

  /// Returns a script that filters `count` times 100 samples and reports each.
  private func blocks(_ count: Int) -> String {
    let block = "head -c 100 | \(filter); echo >'\(answered.path)'"
    return "for i in $(seq \(count)); do \(block); done"
  }

  @Test func everythingLeavesOneLatencyLater() throws {
    let harness = try harness(blocks(20))
    for block in 0..<20 {
      try harness.process(original(block * 100..<block * 100 + 100))
      answered.wait()
      #expect(harness.samples.count == max(0, block * 100 - 50))
    }
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(harness.samples == answer(0..<2_000))
    #expect(
      harness.statistics
        == ExternalProgramStatistics(
          samplesIn: 2_000, samplesOut: 2_000, late: 0, discarded: 0, skipped: 0, clippedSamples: 0)
    )
  }

  /// A program before this one may end with many samples at once.
  @Test func manySamplesAtOnceAreWaitedFor() throws {
    try expectNoneLate(filter, inPiecesOf: 500_000)
  }

  /// They may come in pieces, each much shorter than the latency. The program begins late, and has ten seconds.
  @Test func manySamplesInPiecesAreWaitedFor() throws {
    try expectNoneLate("sleep 0.3; \(filter)", inPiecesOf: 10_000)
  }

  /// Gives 500,000 samples to a program that may answer 480,000 later.
  private func expectNoneLate(_ command: String, inPiecesOf count: Int) throws {
    let harness = try harness(command, latency: 480_000)
    for start in stride(from: 0, to: 500_000, by: count) {
      try harness.process(original(start..<start + count))
    }
    #expect(harness.samples == answer(0..<20_000))
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(harness.samples == answer(0..<500_000))
    #expect(harness.statistics.late == 0)
  }

  /// At the end the conversion of the rate gives some more samples, which make five of the first due. The program
  /// answers once its input has ended, and has ten seconds for it.
  @Test func theLastSamplesMakeNoneLate() throws {
    let file = scratch.file("all")
    let harness = try ProgramHarness<Float>(
      "cat >'\(file)'; cat '\(file)'", rate: 3_000, programRate: 1_000, latency: 9_995,
      isLive: true)
    try harness.process(original(0..<30_000))
    #expect(harness.samples == [])
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(
      harness.statistics
        == ExternalProgramStatistics(
          samplesIn: 10_000, samplesOut: 10_000, late: 0, discarded: 0, skipped: 0,
          clippedSamples: 0))
    #expect(harness.samples.count == 10_000)
  }

  @Test func whatIsLateGoesOnAsItWasAndTheRestFitsBehindIt() throws {
    let harness = try harness("read line <'\(gate.path)'; \(blocks(8))")
    for block in 0..<5 { try harness.process(original(block * 100..<block * 100 + 100)) }
    #expect(harness.samples == original(0..<350))
    gate.open()
    for _ in 0..<5 { answered.wait() }
    for block in 5..<8 {
      try harness.process(original(block * 100..<block * 100 + 100))
      answered.wait()
    }
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(harness.samples == original(0..<350) + answer(350..<800))
    #expect(harness.statistics.late == 350)
    #expect(harness.statistics.discarded == 350)
    #expect(harness.statistics.samplesOut == 800)
    #expect(harness.statistics.skipped == 0)
  }

  @Test func whatAStandingProgramNeverGetsIsSkippedAndTheRestFitsBehindIt() throws {
    let harness = try harness(
      "read count <'\(gate.path)'; head -c $count | \(filter); echo >'\(answered.path)'; \(blocks(2))"
    )
    // More than the pipe and the queue before it hold.
    let count = 1_300_000
    for start in stride(from: 0, to: count, by: 100_000) {
      try harness.process(original(start..<start + 100_000))
    }
    let taken = Int(harness.statistics.samplesIn)
    #expect(harness.statistics.skipped == Int64(count - taken))
    #expect(taken < count)
    gate.open("\(taken)")
    while !answered.isOpen() { try harness.process([]) }
    for start in [count, count + 100] {
      try harness.process(original(start..<start + 100))
      answered.wait()
    }
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(harness.samples.count == count + 200)
    #expect(harness.samples.prefix(count - 150).elementsEqual(original(0..<count - 150)))
    #expect(harness.samples.suffix(200).elementsEqual(answer(count..<count + 200)))
    #expect(harness.statistics.samplesOut == Int64(taken + 200))
    #expect(harness.statistics.late == Int64(count))
    #expect(harness.statistics.discarded == Int64(taken))
  }

  @Test func aProgramThatNeverAnswersChangesNothing() throws {
    let harness = try harness("exec sleep 1000", timeout: .milliseconds(200))
    try harness.process(original(0..<1_000))
    try harness.finish()
    let error = #expect(throws: AudioError.self) { try harness.stage.end(.finished) }
    #expect(error?.reason.contains("moved for 0.2 seconds") == true)
    #expect(harness.samples == original(0..<1_000))
    #expect(harness.statistics.late == 1_000)
  }

  @Test func aProgramThatDiesEndsTheStreamWithoutLosingAnySample() throws {
    let harness = try harness("head -c 100 | \(filter); exit 3")
    var count = 0
    let error = #expect(throws: AudioError.self) {
      while true {
        try harness.process(original(count..<count + 100))
        count += 100
      }
    }
    #expect(error?.reason.contains("it exited with status 3") == true)
    #expect(harness.samples.count == count)
    let isEither = zip(harness.samples, zip(original(0..<count), answer(0..<count))).enumerated()
      .allSatisfy { index, pair in
        pair.0 == pair.1.0 || index < 100 && pair.0 == pair.1.1
      }
    #expect(isEither)
    #expect(harness.statistics.samplesOut == 100)
    try harness.stage.end(.finished)
  }

  @Test func tooLittleAtTheEndIsAnError() throws {
    let harness = try harness("head -c 100; cat >/dev/null")
    try harness.process(original(0..<1_000))
    try harness.finish()
    let error = #expect(throws: AudioError.self) { try harness.stage.end(.finished) }
    #expect(error?.reason == "it gave 100 samples per channel for 1000")
    #expect(harness.samples.count == 1_000)
  }

  @Test func aFloodIsAnError() throws {
    let harness = try harness("exec yes")
    let error = #expect(throws: AudioError.self) {
      while true { try harness.process(original(0..<100)) }
    }
    #expect(error?.reason.contains("it gave more than") == true)
    try harness.stage.end(.abandoned)
  }

  @Test func aTapSeesEverythingAndDelaysNothing() throws {
    let harness = try harness("cat >'\(scratch.file("tap"))'", mode: .readOnly)
    try harness.process(original(0..<500))
    #expect(harness.samples == original(0..<500))
    try harness.process(original(500..<60_000))
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(harness.samples == original(0..<60_000))
    #expect(try contents(scratch.file("tap")) == (0..<60_000).map { UInt8($0 % 97) })
    #expect(harness.statistics.late == 0)
  }

  @Test func whatWaitsForATapAtTheEndStillReachesIt() throws {
    let harness = try harness(
      "read line <'\(gate.path)'; cat >'\(scratch.file("tap"))'", mode: .readOnly)
    var count = 0
    while harness.statistics.skipped == 0 {
      try harness.process(original(count..<count + 100_000))
      count += 100_000
    }
    try harness.finish()
    gate.open()
    try harness.stage.end(.finished)
    let taken = Int(harness.statistics.samplesIn)
    #expect(try contents(scratch.file("tap")) == (0..<taken).map { UInt8($0 % 97) })
    #expect(Int(harness.statistics.skipped) == count - taken)
  }

  @Test func answersAfterTheEndAreDiscarded() throws {
    let harness = try harness("read line <'\(gate.path)'; \(filter)")
    try harness.process(original(0..<1_000))
    try harness.finish()
    gate.open()
    try harness.stage.end(.finished)
    #expect(harness.samples == original(0..<1_000))
    #expect(harness.statistics.late == 1_000)
    #expect(harness.statistics.discarded == 1_000)
  }

  @Test func aGeneratorReplacesTheStreamBySilenceUntilItSpeaks() throws {
    let harness = try harness(
      "read line <'\(gate.path)'; head -c 5000 /dev/zero | LC_ALL=C tr '\\000' '\\300'",
      mode: .writeOnly)
    try harness.process(original(0..<350))
    #expect(harness.samples == Array(repeating: 0, count: 200))
    gate.open()
    while harness.statistics.samplesOut < 5_000 { try harness.process([]) }
    try harness.process(original(350..<1_000))
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(
      harness.samples == Array(repeating: 0, count: 200) + Array(repeating: 0.5, count: 800))
    #expect(harness.statistics.late == 200)
  }

  /// The output shows the input: 192 for each 128, which is silence.
  @Test func aGeneratorGetsSilenceAtThePaceOfTheStream() throws {
    let block = "head -c 100 | LC_ALL=C tr '\\200' '\\300'; echo >'\(answered.path)'"
    let harness = try harness("for i in $(seq 20); do \(block); done", mode: .writeOnly)
    for block in 0..<20 {
      try harness.process(original(block * 100..<block * 100 + 100))
      answered.wait()
      #expect(harness.statistics.samplesIn == Int64(block * 100 + 100))
    }
    try harness.finish()
    try harness.stage.end(.finished)
    #expect(harness.samples == Array(repeating: 0.5, count: 2_000))
    #expect(harness.statistics.late == 0)
  }
}
