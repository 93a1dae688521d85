// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestProcess
import Testing

/// `--threshold voice`, the observer `voice` and `measure --voice`, with a network to which loud sounds are speech.
@Suite struct VoiceCommandTests {
  let directory = TemporaryDirectory()

  /// The model lies in a folder for data, and nowhere else.
  private var environment: [String: String] {
    ["XDG_DATA_HOME": directory.file("data").path, "XDG_DATA_DIRS": directory.file("none").path]
  }

  private static let length = 48_000

  /// Three seconds at 16 kHz, loud in two stretches of whole steps of 512 samples.
  private func makeTalk(_ name: String = "talk.wav") throws -> [Int16] {
    try VoiceNumbers.loud.install(in: directory.file("data"))
    let loud = [8_192..<16_384, 32_768..<36_864]
    let samples = (0..<Self.length).map { place in
      let isLoud = loud.contains { $0.contains(place) }
      return Int16((isLoud ? 16_000 : 30) * sin(Double(place) * 0.3))
    }
    try directory.write(WaveBytes.file(samples, channelCount: 1, sampleRate: 16_000), name)
    return samples
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.run(line.split(separator: " ").map(String.init), environment: environment)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try directory.bytes(name), as: UTF8.self)
  }

  @Test func aTriggerCutsAtSpeech() throws {
    let samples = try makeTalk()
    let cut = try run(
      "convert talk.wav --threshold voice --pre-roll 0 --hold 0 --split event -o p-%02d.wav --labels"
        + " said.csv")
    cut.expectExit(0)
    // A step is speech by the network's output for the step behind it.
    let events = [7_680..<15_872, 32_256..<36_352]
    #expect(directory.names.filter { $0.hasPrefix("p-") } == ["p-00.wav", "p-01.wav"])
    for (index, event) in events.enumerated() {
      #expect(WaveBytes.samples(try directory.bytes("p-0\(index).wav")) == Array(samples[event]))
    }
    let rows = try text("said.csv").split(separator: "\n").dropFirst()
    #expect(
      rows == [
        "talk.wav,0.480000000,0.992000000,0.000000000,p-00,p-00.wav,",
        "talk.wav,2.016000000,2.272000000,0.000000000,p-01,p-01.wav,",
      ])
    let held = try run(
      "convert talk.wav --threshold voice=0.9 --pre-roll 0.1 --hold 0.2 -o kept.wav")
    held.expectExit(0)
    let kept = WaveBytes.samples(try directory.bytes("kept.wav"))
    #expect(kept.count == 8_192 + 4_800 + 4_096 + 4_800)
    try directory.write(Array("talk.wav\n".utf8), "list")
    let listed = try run(
      "convert --list list --threshold voice --pre-roll 0.1 --hold 0.2 -o x-{stem}.wav --results -")
    #expect(listed.ending == .exit(0))
    #expect(
      listed.outputText.contains(#""samplesPerChannel":\#(kept.count),"#), "\(listed.outputText)")
  }

  @Test func theObserverTellsBeginningsAndEnds() throws {
    _ = try makeTalk()
    let observed = try run("convert talk.wav -o null: --observe record,hold=0.1:voice=said.jsonl")
    observed.expectExit(0)
    func line(_ state: String, _ position: Int, _ seconds: String = "") -> String {
      #"{"schema":1,"event":"voice","position":"record","source":"local","group":null,"state":"\#(state)","#
        + #""samplePosition":\#(position),"sampleRate":16000\#(seconds)}"#
    }
    #expect(
      try text("said.jsonl")
        == [
          line("begin", 7_680), line("end", 15_872, #","seconds":0.512"#), line("begin", 32_256),
          line("end", 36_352, #","seconds":0.256"#),
        ].map { $0 + "\n" }.joined())
    let wrong = try run("convert talk.wav -o null: --observe record,on=0.4,off=0.6:voice")
    #expect(wrong.ending == .exit(64))
    #expect(wrong.standardError.contains("off=0.6 is above on=0.4"))
    let number = try run("convert talk.wav -o null: --observe record:voice=0.3")
    #expect(number.ending == .exit(64))
    #expect(number.standardError.contains("a probability is on=0.3 before the colon"))
  }

  @Test func measuresHowLongPeopleSpeak() throws {
    _ = try makeTalk()
    let page = try run("measure talk.wav --voice")
    page.expectExit(0)
    let rows = page.outputText.split(separator: "\n").suffix(4).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      rows == [
        "speech (s) 0.8", "share of speech (%) 25.6", "longest pause (s) 1.0",
        "stretches of speech 2",
      ])
    let facts = try run("measure talk.wav --voice --json-lines")
    #expect(
      facts.outputText.contains(
        #""voice":{"seconds":0.768,"share":0.256,"longestPause":1.024,"stretches":2}"#))
    #expect(!(try run("measure talk.wav --json-lines")).outputText.contains("voice"))
  }

  @Test(arguments: [
    "convert talk.wav --threshold voice -o out.wav", "measure talk.wav --voice",
    "convert talk.wav -o out.wav --observe record:voice",
  ])
  func withoutTheNumbersOneLineSaysHowToGetThem(line: String) throws {
    _ = try makeTalk()
    try FileManager.default.removeItem(at: directory.file("data"))
    let failed = try run(line)
    #expect(failed.ending == .exit(1))
    let reason =
      "rawaudio: cannot tell speech from other sounds without 'silero-vad-6.2.safetensors': it is in none of"
    #expect(failed.standardError.hasPrefix(reason), "\(failed.standardError)")
    #expect(
      failed.standardError.hasSuffix(
        "install rawaudio's package, or in its sources say 'make voice-data install'\n"))
    #expect(failed.standardError.filter { $0 == "\n" }.count == 1)
    #expect(!directory.names.contains("out.wav"))
  }

  @Test func aFileThatIsNoModelIsNamed() throws {
    _ = try makeTalk()
    try directory.write(Array("nonsense".utf8), "data/rawaudio/silero-vad-6.2.safetensors")
    let failed = try run("measure talk.wav --voice")
    #expect(failed.ending == .exit(1))
    #expect(failed.standardError.contains("its size is not that of the file"))
    // A pipe would wait for a writer.
    let model = directory.file("data/rawaudio/silero-vad-6.2.safetensors")
    try FileManager.default.removeItem(at: model)
    let made = unsafe mkfifo(model.path, 0o600)
    #expect(made == 0)
    let pipe = try run("measure talk.wav --voice")
    #expect(pipe.ending == .exit(1))
    #expect(pipe.standardError.contains("it is no regular file"), "\(pipe.standardError)")
  }

  @Test func nothingSaidIsSaid() throws {
    _ = try makeTalk()
    let quiet = try run("convert silence: -d 1 -r 16000 --threshold voice -o out.wav")
    quiet.expectExit(0, "'out.wav' holds no sample: no speech reached the probability 0.5")
    for (line, reason) in [
      ("voice=2", "a probability of speech is a number from 0.01 to 0.99"),
      ("voices", "a level is a number of decibels"),
    ] {
      let wrong = try run("convert talk.wav --threshold \(line) -o out.wav")
      #expect(wrong.ending == .exit(64))
      #expect(wrong.standardError.contains(reason), "\(wrong.standardError)")
    }
    let band = try run("convert talk.wav --threshold voice --trigger-band 300- -o out.wav")
    #expect(band.ending == .exit(64))
    #expect(band.standardError.contains("needs a level as '--threshold'"))
  }
}
