// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Edits of `convert` and `mix`, on files with a known result.
@Suite struct EditTests {
  private let directory = TemporaryDirectory()

  private func samples(_ line: String) throws -> [Int16] {
    let run = try directory.pipeline("rawaudio \(line) -t raw")
    #expect(run.standardError == "", "\(line)")
    #expect(run.ending == .exit(0), "\(line)")
    return WaveBytes.int16s(run.standardOutput)
  }

  private static let ramp = (1...10).map { Int16($0 * 100) }

  @Test func partsCountFromEitherEnd() throws {
    try directory.write(WaveBytes.file(Self.ramp), "a.wav")
    #expect(try samples("convert a.wav --start -3S") == [800, 900, 1_000])
    #expect(try samples("convert a.wav --start 2S --end 4S") == [300, 400])
    #expect(try samples("convert a.wav --start -4S --end -2S") == [700, 800])
    #expect(try samples("convert a.wav --start -4S -d 1S") == [700])
    #expect(try samples("convert a.wav --start -100S --end 1S") == [100])
    #expect(try samples("mix a.wav a.wav --start 9S --start -2S --end 10S") == [1_900, 1_000])
    // A pipe goes through a temporary file.
    #expect(try samples("convert - --start -3S <a.wav") == [800, 900, 1_000])
    #expect(try samples("convert <(cat a.wav) --start -3S --end -1S") == [800, 900])
  }

  @Test func partsThatCannotBeAreErrors() throws {
    try directory.write(WaveBytes.file(Self.ramp), "a.wav")
    for (options, message) in [
      ("a.wav --start 2 --end 1", "'--end' must lie behind '--start'"),
      (
        "a.wav -d 2 --end 1",
        "'--end' and '--duration' both say where to end; one is enough"
      ),
      (
        "tone:440 -d 1 --start -1",
        "'--start <time>' needs a source that ends; a generated signal does not"
      ),
      (
        "alsa:null --normalize -1",
        "'--normalize <db>' needs a source that ends; a device does not"
      ),
      (
        "a.wav --channel-map 1,X",
        "The value '1,X' is invalid for '--channel-map <list>': 'X' is no channel; channels are numbers"
          + " from 1, the names L, R, C, LFE, Ls, Rs, Lb, Rb and Cs, mix for all in one,"
          + " or 0 for silence"
      ),
    ] {
      let run = try directory.pipeline("rawaudio convert \(options) -o b.wav")
      #expect(run.ending == .exit(64), "\(options)")
      #expect(run.standardError.hasPrefix("Error: \(message)\n"), "\(run.standardError)")
    }
    let late = try directory.pipeline("rawaudio convert a.wav --start -1S --end 3S")
    late.expectExit(
      1, "cannot take this part of the source: its end, sample 3, lies before its start, sample 9")
    let channel = try directory.pipeline("rawaudio convert a.wav --channel-map 2")
    channel.expectExit(1, "cannot take channel '2': the stream has 1 channel (C)")
    #expect(!FileManager.default.fileExists(atPath: directory.url.appending(path: "b.wav").path))
  }

  @Test func channelsAreChosen() throws {
    try directory.write(WaveBytes.file([1, 10, 2, 20, 3, 30], channelCount: 2), "s.wav")
    #expect(try samples("convert s.wav --channel-map 2") == [10, 20, 30])
    #expect(try samples("convert s.wav --channel-map L") == [1, 2, 3])
    #expect(try samples("convert s.wav --channel-map r,l") == [10, 1, 20, 2, 30, 3])
    #expect(
      try samples("convert s.wav --channel-map mix --gain 6.020599913279624") == [11, 22, 33])
    #expect(
      try samples("convert s.wav --observe record:channel-map=2,2") == [10, 10, 20, 20, 30, 30])
    #expect(try samples("mix s.wav s.wav --channel-map 1 --channel-map 2 -c 1") == [11, 22, 33])
    #expect(
      try samples("convert s.wav --channel-map 1 --samples-per-call 480 --observe record:gain=0")
        == [1, 2, 3])
  }

  @Test func fadesPadsAndInverts() throws {
    try directory.write(WaveBytes.file(Array(repeating: 1_000, count: 8)), "a.wav")
    #expect(
      try samples("convert a.wav --fade-in 4S") == [0, 250, 500, 750, 1_000, 1_000, 1_000, 1_000])
    #expect(
      try samples("convert a.wav --fade-out 4S") == [
        1_000, 1_000, 1_000, 1_000, 1_000, 750, 500, 250,
      ])
    // Silence follows the fade.
    #expect(
      try samples("convert a.wav --fade-out 2S --pad 1S,2S") == [
        0, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 500, 0, 0,
      ])
    #expect(
      try samples("convert a.wav --end 2S --invert --fade-in 4S --fade-curve equal-power")
        == [0, -383])
    #expect(
      try samples("convert a.wav --end 3S --observe record:fade-in=2S --observe record:invert")
        == [0, -500, -1_000])
    #expect(try samples("mix a.wav a.wav --invert=2") == Array(repeating: 0, count: 8))
    #expect(try samples("mix a.wav --invert --end 1S") == [-1_000])
    #expect(
      try samples("mix a.wav a.wav --end 4S --fade-in 4S --fade-in 2S") == [0, 750, 1_500, 1_750])
    // A sum with a duration is faded at its end.
    #expect(try samples("mix a.wav --fade-out 2S -d 3S") == [1_000, 1_000, 500])
  }

  @Test func normalizesToThePeak() throws {
    var noise = Noise(4)
    let loud = noise.samples(5_000, peak: 9_000)
    try directory.write(WaveBytes.file(loud, channelCount: 2), "a.wav")
    let peak = loud.map { abs(Int($0)) }.max() ?? 0
    // 10^(−6/20), and 0 dBFS at 32768.
    let factor = pow(10, -6.0 / 20) * 32_768 / Double(peak)
    let expected = loud.map { Int16((Double($0) * factor).rounded(.toNearestOrEven)) }
    #expect(try samples("convert a.wav --normalize -6") == expected)
    #expect(try samples("convert - --normalize -6 <a.wav") == expected)
    #expect(try samples("convert <(cat a.wav) --normalize -6") == expected)
    #expect(try samples("mix a.wav --normalize -6") == expected)
    // The sum if given once, and each source if given for each.
    #expect(try samples("mix a.wav a.wav --gain -9 --gain 3 --normalize -6") == expected)
    #expect(
      try samples("mix a.wav a.wav --gain -300 --gain 0 --normalize -9 --normalize -6") == expected)
    #expect(try samples("convert a.wav --normalize -6 --invert") == expected.map { -$0 })
    // The peak is measured after the edits, at the rate of the output.
    let faded = try samples("convert a.wav --normalize -6 --channel-map 2 --fade-in 300S -r 8000")
    let top = faded.map { abs(Int($0)) }.max() ?? 0
    #expect(abs(Double(top) - pow(10, -6.0 / 20) * 32_768) <= 0.5)
  }

  @Test func silenceIsTold() throws {
    try directory.write(WaveBytes.file([0, 0, 0]), "a.wav")
    let run = try directory.pipeline("rawaudio convert a.wav --normalize -1 -t raw")
    #expect(run.standardError == "rawaudio: 'a.wav' is silent; its level stays as it is\n")
    #expect(WaveBytes.int16s(run.standardOutput) == [0, 0, 0])
    let trimmed = try directory.pipeline("rawaudio convert a.wav --trim-silence -40 -t raw")
    #expect(
      trimmed.standardError
        == """
        rawaudio: nothing in 'a.wav' reaches -40.0 dBFS; all of it is left out
        rawaudio: 'standard output' holds no sample: there was nothing to take from the input

        """)
    #expect(trimmed.standardOutput == [])
  }

  @Test func silenceAtBothEndsIsLeftOut() throws {
    // −40 dBFS is 327.68.
    try directory.write(WaveBytes.file([0, 327, 328, 0, 0, -5_000, 327, 0]), "a.wav")
    #expect(try samples("convert a.wav --trim-silence -40") == [328, 0, 0, -5_000])
    #expect(try samples("convert - --trim-silence -40 <a.wav") == [328, 0, 0, -5_000])
    #expect(try samples("mix a.wav --trim-silence -40 --pad 1S") == [328, 0, 0, -5_000, 0])
    #expect(try samples("convert a.wav --start 3S --trim-silence -40") == [-5_000])
  }

  /// A list edits each file as if it were alone.
  @Test func listsTakeEdits() throws {
    try directory.write(WaveBytes.file(Self.ramp), "a.wav")
    try directory.write(WaveBytes.file(Self.ramp.map { -3 * $0 }), "b.wav")
    let options = "--start -4S --fade-out 2S --normalize -6 --pad 1S"
    try directory.mustRun("rawaudio convert a.wav b.wav \(options) -o 'x/{stem}.wav'")
    for name in ["a", "b"] {
      let alone = try samples("convert \(name).wav \(options)")
      #expect(alone.count == 5)
      #expect(try WaveBytes.samples(directory.bytes("x/\(name).wav")) == alone)
    }
  }

  @Test func musicGoesDownUnderAVoice() throws {
    try directory.write(
      WaveBytes.file(Array(repeating: 8_000, count: 44_100), sampleRate: 44_100), "voice.wav")
    try directory.write(
      WaveBytes.file(Array(repeating: 4_000, count: 88_200), sampleRate: 44_100), "music.wav")
    let options = "voice.wav music.wav --offset 0.5 --offset 0 --gain -300 --gain 0"
    let ducked = try samples(
      "mix \(options) --duck 2:1,-20dB,attack=100ms,hold=0.2,release=0.2,threshold=-30")
    #expect(ducked.count == 88_200)
    #expect(ducked[..<22_050].allSatisfy { $0 == 4_000 })
    // Down after 100 ms, up again 400 ms after its end.
    #expect(ducked[22_050 + 4_411..<66_150 + 8_820].allSatisfy { $0 == 400 })
    #expect(ducked[(66_150 + 17_641)...].allSatisfy { $0 == 4_000 })
    for (wrong, message) in [
      ("2:3,-12", "there are 2 sources"), ("2:2,-12", "a source cannot go down under itself"),
      ("2:1,6", "it goes down by less than 0 dB, for example -12"),
      (
        "2:1,-6,speed=1",
        "'speed=1' is nothing it has; it has attack=, hold=, release= and threshold="
      ),
    ] {
      let run = try directory.pipeline("rawaudio mix \(options) --duck \(wrong)")
      #expect(run.ending == .exit(64))
      #expect(run.standardError.contains(message), "\(run.standardError)")
    }
  }
}
