// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The output and the exit code of `rawaudio measure`.
@Suite struct MeasureTests {
  private func writeTone(
    _ level: Double, _ name: String, in directory: TemporaryDirectory, seconds: Double = 4
  ) throws {
    var signal = LoudnessSignal()
    signal.add(level, seconds: seconds)
    try directory.write(signal.file, name)
  }

  private func objects(_ run: ProcessRun) throws -> [[String: Any]] {
    try run.outputText.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func aTableWithUnits() throws {
    let directory = TemporaryDirectory()
    try writeTone(-23, "a.wav", in: directory)
    try writeTone(-20, "b.wav", in: directory)
    let run = try directory.run("measure", "a.wav", "b.wav")
    #expect(
      run.outputText == """
         loudness range momentary short-term true peak   peak    RMS crest clipped  file
             LUFS    LU      LUFS       LUFS      dBTP   dBFS   dBFS    dB    runs
            -23.0   0.0     -23.0      -23.0     -23.0  -23.0  -26.0   3.0       0  a.wav
            -20.0   0.0     -20.0      -20.0     -20.0  -20.0  -23.0   3.0       0  b.wav

        """)
    run.expectExit(0)
  }

  @Test func aPageForOneFile() throws {
    let directory = TemporaryDirectory()
    try writeTone(-23, "a.wav", in: directory)
    let run = try directory.run("measure", "a.wav")
    for line in [
      "a.wav\n", "  loudness (LUFS)                    -23.0\n", "  true peak (dBTP)  ",
      "  bandwidth (Hz)  ", "  channel                                1           2\n",
      "  channel 2 is identical to channel 1\n",
    ] { #expect(run.outputText.contains(line), "\(line)") }
  }

  /// Numbers, or null for a missing value, under the documented keys.
  @Test func forPrograms() throws {
    let directory = TemporaryDirectory()
    try writeTone(-23, "a.wav", in: directory)
    try directory.write(WaveBytes.file([Int16](repeating: 0, count: 9_600)), "silent.wav")
    let run = try directory.run("measure", "--json-lines", "a.wav", "silent.wav")
    let found = try objects(run)
    try #require(found.count == 2)
    let keys = [
      "loudness", "maxMomentary", "maxShortTerm", "truePeak", "samplePeak", "rms", "crestFactor",
    ]
    for key in keys {
      #expect(found[0][key] is Double, "\(key)")
      #expect(found[1][key] is NSNull, "\(key)")
    }
    #expect(abs(try #require(found[0]["loudnessRange"] as? Double)) < 0.05)
    #expect(found[1]["loudnessRange"] is NSNull)
    #expect(found[1]["clippedRuns"] as? Int == 0)
    let channels = try #require(found[0]["channels"] as? [[String: Any]])
    #expect(channels.count == 2)
    #expect(abs(try #require(channels[0]["truePeak"] as? Double) + 23) < 0.05)
    #expect(channels[1]["identicalTo"] as? Int == 1)
    #expect(found[1]["silenceAtStart"] as? Double == 0.2)
    let array = try directory.run("measure", "--json", "a.wav", "silent.wav")
    let read = try JSONSerialization.jsonObject(with: Data(array.standardOutput))
    #expect((read as? [Any])?.count == 2)
  }

  @Test func aLimitThatIsNotMetIsExit2() throws {
    let directory = TemporaryDirectory()
    try writeTone(-23, "a.wav", in: directory)
    try writeTone(-20, "b.wav", in: directory)
    let met = try directory.run(
      "measure", "--json-lines", "--expect", "loudness=-23±0.5", "--expect", "true-peak<=-1dBTP",
      "--expect", "silence<2s", "a.wav")
    met.expectExit(0)
    let run = try directory.run(
      "measure", "--json-lines", "--expect", "loudness=-23±0.5", "a.wav", "b.wav")
    #expect(run.ending == .exit(2))
    #expect(run.standardError.hasPrefix("rawaudio: 'b.wav': loudness is -"))
    #expect(run.standardError.hasSuffix(" LUFS, expected loudness=-23±0.5\n"))
    let unmet = try #require(try objects(run)[1]["unmet"] as? [[String: Any]])
    #expect(unmet.count == 1)
    #expect(unmet[0]["measure"] as? String == "loudness")
  }

  @Test func silenceIsBelowEveryLevel() throws {
    let directory = TemporaryDirectory()
    try directory.write(WaveBytes.file([Int16](repeating: 0, count: 96_000)), "silent.wav")
    let below = try directory.run(
      "measure", "--expect", "true-peak<=-1", "--expect", "loudness<-20", "silent.wav")
    #expect(below.ending == .exit(0))
    let near = try directory.run("measure", "--expect", "loudness=-23+-1", "silent.wav")
    #expect(near.ending == .exit(2))
    #expect(near.standardError.contains("loudness is no value, expected loudness=-23+-1"))
  }

  @Test func aFileThatFailsIsExit1AndTheOthersAreMeasured() throws {
    let directory = TemporaryDirectory()
    try writeTone(-23, "a.wav", in: directory)
    let run = try directory.run(
      "measure", "--json-lines", "no.wav", "a.wav", "--expect", "loudness<-30")
    #expect(run.ending == .exit(1))
    #expect(run.standardError.hasPrefix("rawaudio: cannot open 'no.wav': no such file\n"))
    let found = try objects(run)
    #expect(found[0]["error"] as? String == "cannot open 'no.wav': no such file")
    #expect(found[1]["loudness"] is Double)
  }

  /// In the order of the list; each shard its part; results appended.
  @Test func workLists() throws {
    let directory = TemporaryDirectory()
    let names = try directory.writeSounds(40)
    try directory.write(Array(names.joined(separator: "\n").utf8), "list")
    let run = try directory.run(
      "measure", "--json-lines", "--list", "list", "--jobs", "4", "--results", "results")
    #expect(run.ending == .exit(0))
    #expect(try objects(run).map { $0["path"] as? String } == names)
    #expect(try directory.bytes("results") == run.standardOutput)
    let part = try directory.run("measure", "--json-lines", "--list", "list", "--shard", "2/3")
    #expect(
      try objects(part).map { $0["path"] as? String }
        == names.indices.filter { $0 % 3 == 1 }.map { names[$0] })
  }

  @Test func standardInput() throws {
    var signal = LoudnessSignal()
    signal.add(-23, seconds: 2)
    let run = try runCommand("measure", "--json-lines", "-", input: .bytes(signal.file))
    let loudness = try #require(try objects(run)[0]["loudness"] as? Double)
    #expect(abs(loudness + 23) < 0.1)
  }

  @Test(arguments: [
    ("loud=-23", "'loud' is not measured"), ("loudness", "a limit is a measure"),
    ("loudness=x", "'x' is no number of LUFS"), ("true-peak<=-1±2", "a tolerance goes with ="),
  ])
  func mistakes(_ limit: String, _ reason: String) throws {
    let run = try runCommand("measure", "--expect", limit, "a.wav")
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains(reason))
  }
}
