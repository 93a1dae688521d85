// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--observe` on the commands that have it.
@Suite struct ObserverTests {
  private let directory = TemporaryDirectory()
  private let samples: [Int16]

  init() throws {
    var noise = Noise(32)
    samples = noise.samples(2 * 5_001, peak: 12_000)
    try directory.write(WaveBytes.file(samples, channelCount: 2, sampleRate: 44_100), "a.wav")
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("rawaudio \(line)")
  }

  private func output(_ line: String) throws -> [UInt8] {
    let run = try run(line)
    #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    return run.standardOutput
  }

  @Test func gainIsThatOfTheOption() throws {
    for quality in ["high", "best"] {
      let option = try output("convert a.wav -f f32 --gain -7.3 --resampler-quality \(quality)")
      let observer = try output(
        "convert a.wav -f f32 --observe record:gain=-7.3 --resampler-quality \(quality)")
      #expect(observer == option)
      #expect(option != (try output("convert a.wav -f f32")))
    }
  }

  @Test func resamplingIsThatOfTheOption() throws {
    let option = try output("convert a.wav -r 16000")
    #expect(try output("convert a.wav --observe record:resample=16000") == option)
    #expect(WaveBytes.samples(option).count == 2 * 1_815)
  }

  @Test func mixingIsThatOfTheCommand() throws {
    let longer = samples + samples
    try directory.write(WaveBytes.file(longer, channelCount: 2, sampleRate: 44_100), "b.wav")
    // The passing stream sets the length.
    let sum = try output("convert a.wav --observe record:mix=b.wav")
    #expect(WaveBytes.samples(sum) == samples.map { 2 * $0 })
    let short = try output("convert b.wav --observe record:mix=a.wav")
    #expect(WaveBytes.samples(short) == samples.map { 2 * $0 } + samples)
  }

  @Test func observersActInOrder() throws {
    let run = try run(
      "convert a.wav -f s24 -o o.wav --observe record:tap=1.wav --observe record:gain=-20"
        + " --observe record,encoding=s24:tap=2.wav")
    #expect(run.standardError == "")
    #expect(try WaveBytes.samples(directory.bytes("1.wav")) == samples)
    #expect(try directory.bytes("2.wav") == directory.bytes("o.wav"))
  }

  @Test(arguments: [
    "meter", "events=e.json", "tap=t.wav", "exec=cat", "exec=cat >/dev/null", "gain=-6",
    "resample=8000", "mix=a.wav",
  ])
  func readOnlyObserversLeaveTheOutputAlone(_ kind: String) throws {
    let plain = try output("mix a.wav a.wav -f f32")
    for position in ["before-mixing", "before-mixing@2", "playback", "mixed"] {
      let file = kind.replacingOccurrences(of: "t.wav", with: "%s.wav")
      let keys = kind.hasPrefix("resample") ? "" : ",rate=16000,channels=1"
      let line =
        "mix a.wav a.wav -f f32 --force --observe '\(position)\(keys),mode=read-only:\(file)'"
      #expect(try output(line) == plain, "\(line)")
    }
  }

  @Test func discardedEditsAreToldOf() throws {
    let line = "convert a.wav -o null: --observe record,mode=read-only:gain=-6"
    #expect(
      try run(line).standardError
        == "rawaudio: observer 'record,mode=read-only:gain=-6': the edits of 12 of 12 calls were"
        + " discarded, for its mode is read-only\n")
    #expect(try run("\(line) -q").standardError == "")
  }

  @Test func tapsInTheShapeAskedFor() throws {
    _ = try output(
      "convert a.wav -o null: --observe record,rate=16000,channels=1,encoding=f32:tap=t.wav")
    let converted = try output("convert a.wav -r 16000 -c 1 -f f32 -t raw")
    #expect(try output("convert t.wav -t raw") == converted)
  }

  @Test func eventsCountEveryCall() throws {
    let run = try run(
      "mix a.wav a.wav -o null: --observe playback,samples-per-call=2048:events"
        + " --observe before-mixing@2:events=e.json")
    let lines = run.standardError.split(separator: "\n").map { Data($0.utf8) }
    let events = try lines.map {
      try #require(JSONSerialization.jsonObject(with: $0) as? [String: Any])
    }
    // 5001 samples per channel in calls of 1024.
    #expect(events.map { $0["samplesPerChannel"] as? Int } == [1_024, 1_024, 1_024, 1_024, 905])
    #expect(events.map { $0["index"] as? Int } == [0, 1, 2, 3, 4])
    #expect(events.allSatisfy { $0["position"] as? String == "playback" })
    let others = try String(decoding: directory.bytes("e.json"), as: UTF8.self)
    #expect(others.split(separator: "\n").count == 12)
    #expect(others.contains("\"source\":\"2\""))
    #expect(!others.contains("\"source\":\"1\""))
  }

  @Test func theMeterTellsTheLevelsOfEveryStream() throws {
    // A square wave of half of full scale on the left, silence on the right.
    let square = (0..<9_600).map { [16_384, 0, -16_384, 0][$0 % 4] as Int16 }
    try directory.write(WaveBytes.file(square, channelCount: 2), "s.wav")
    let run = try run(
      "mix s.wav s.wav -q -o null: --observe before-mixing:meter --observe playback:meter")
    let half = "peak -6.0 -inf dBFS, RMS -6.0 -inf dBFS"
    #expect(
      run.standardError.split(separator: "\n").sorted() == [
        "rawaudio: before-mixing 1: \(half)", "rawaudio: before-mixing 2: \(half)",
        "rawaudio: playback: peak 0.0 -inf dBFS, RMS 0.0 -inf dBFS",
      ])
  }

  @Test func theMeterRefreshesOneLineOnATerminal() throws {
    let run = try directory.pipeline(
      "script -qec 'rawaudio mix a.wav -o null: --observe playback,channels=1:meter' /dev/null")
    #expect(run.outputText.hasPrefix("\rplayback: peak -"))
    #expect(run.outputText.contains("\u{1B}[K\rplayback: peak -") == true)
    #expect(run.outputText.hasSuffix("dBFS\r\n"))
    let quiet = try directory.pipeline(
      "script -qec 'rawaudio mix a.wav -q -o null: --observe playback,channels=1:meter' /dev/null")
    #expect(quiet.outputText.hasPrefix("rawaudio: playback: peak -"))
    #expect(quiet.outputText.split(separator: "\r\n").count == 1)
  }

  @Test func saturatedTapsAreClipping() throws {
    let run = try run(
      "convert a.wav -f f32 -o null: --fail-on clip --observe record:gain=12"
        + " --observe record,encoding=s16:tap=t.wav")
    let expected = samples.count { abs(Double($0)) * pow(10, 12.0 / 20) >= 32_767.5 }
    #expect(expected > 100)
    run.expectExit(
      2, "\(expected) samples clipped in observer 'record,encoding=s16:tap=t.wav'; lower the gain")
  }

  @Test func truncatedInputsOfAnObserverAreToldOf() throws {
    try directory.write(WaveBytes.file([1, 2, 3, 4].flatMap { [$0, 0] }, claimed: 40), "cut.wav")
    let run = try run("convert a.wav -o null: --fail-on truncated --observe record:mix=cut.wav")
    #expect(run.standardError.hasPrefix("rawaudio: 'cut.wav' is truncated: it holds 4 of the 20 "))
    #expect(run.ending == .exit(2))
  }

  @Test(
    arguments: [
      "--samples-per-call 880":
        "The value '880' is invalid for '--samples-per-call <samples>': it is less than 10 ms at 44100"
        + " Hz, 2 channels; the smallest is 882",
      "--samples-per-call 883":
        "The value '883' is invalid for '--samples-per-call <samples>': it does not divide by 2"
        + " channels; 882 and 884 do",
      "--samples-per-call 880 --observe record:meter":
        "The value '880' is invalid for '--samples-per-call <samples>': it is less than 10 ms at 44100"
        + " Hz, 2 channels; the smallest is 882",
      "--observe record,samples-per-call=880:meter":
        "The value 'record,samples-per-call=880:meter' is invalid for '--observe <observer>': it is less"
        + " than 10 ms at 44100 Hz, 2 channels; the smallest is 882",
    ] as [String: String])
  func framesThatTheStreamForbids(_ options: String, _ message: String) throws {
    let run = try run("convert a.wav -o b.wav \(options)")
    run.expectUsageError(message, of: "convert")
    #expect(directory.names == ["a.wav"])
  }

  /// A line per second and one at the end, with the values of `measure`.
  @Test func loudnessIsToldOnceASecond() throws {
    var signal = LoudnessSignal()
    signal.add(-23, seconds: 2.5)
    try directory.write(signal.file, "tone.wav")
    let run = try run("mix tone.wav -o o.wav --observe playback:loudness=told")
    #expect(run.ending == .exit(0))
    let text = String(decoding: try directory.bytes("told"), as: UTF8.self)
    let lines = try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["event"] as? String } == ["loudness", "loudness", "measurement"])
    #expect(lines.map { $0["samplePosition"] as? Int } == [48_000, 96_000, 120_000])
    #expect(lines.allSatisfy { $0["schema"] as? Int == 1 })
    #expect(lines.allSatisfy { $0["position"] as? String == "playback" })
    #expect(abs(try #require(lines[1]["momentary"] as? Double) + 23) < 0.01)
    #expect(lines[1]["shortTerm"] is NSNull)
    let whole = try MeasuredLoudness(of: "tone.wav", in: directory)
    for key in ["loudness", "truePeak", "rms"] {
      let told = try #require(lines[2][key] as? Double)
      #expect(abs(told - (try #require(whole[key]))) < 0.001, "\(key)")
    }
    #expect(
      try self.run("convert a.wav -o null: --observe record:loudness").standardError.contains(
        #""event":"measurement""#))
  }

  /// `play` into nothing is as fast as it can be, and its observers see every sample.
  @Test func playToNowhere() throws {
    try directory.mustRun("rawaudio convert noise:white,seed=1 -d 100 -r 8000 -c 1 -f s16 -o n.wav")
    try run("play n.wav -D null: --observe playback:tap=tap.wav").expectExit(0)
    #expect(try directory.bytes("tap.wav") == directory.bytes("n.wav"))
    try run("play n.wav -D null:x").expectUsageError(
      "The value 'null:x' is invalid for '--device <name>': the sink that discards is written null:",
      of: "play")
  }
}
