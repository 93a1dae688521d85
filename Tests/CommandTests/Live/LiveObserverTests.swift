// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Observers of a device's stream.
@Suite(.needsVirtualCard) struct LiveObserverTests {
  /// Short enough to fit in the queue of a tap's file, so a slow machine drops nothing.
  private static let length = 20_000
  private static let fed = DeviceBytes.noise(4 * length)

  private func bench() throws -> CardBench {
    try CardBench(input: Self.fed)
  }

  private func samples(_ name: String, of bench: CardBench) throws -> [UInt8] {
    try bench.wave(name).samples
  }

  @Test func tapsAndEventsOfACapture() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "\(Self.length)S", "-o", "take.wav",
      "--samples-per-call", "4410", "--observe", "record:tap=tap-%s.wav", "--observe",
      "record:events=events.json")
    #expect(run.ending == .exit(0))
    // On a busy machine a call may take long.
    let notes = run.standardError.split(separator: "\n")
    #expect(
      notes.allSatisfy { $0.contains("calls took longer than their audio lasts") }, "\(notes)")
    #expect(try samples("take.wav", of: bench) == Self.fed)
    #expect(try samples("tap-local.wav", of: bench) == Self.fed)
    let lines = String(decoding: try bench.bytes(of: "events.json"), as: UTF8.self)
    // 20000 samples per channel in calls of 2205.
    #expect(lines.split(separator: "\n").count == 10)
  }

  /// The program's answers equal the originals, which replace late answers.
  @Test func aProgramInACapture() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "\(Self.length)S", "-o", "take.wav",
      "--observe", "record:exec=cat")
    #expect(run.ending == .exit(0))
    #expect(try samples("take.wav", of: bench) == Self.fed)
  }

  /// The program answers only after reading everything.
  @Test func lateAnswersAreToldOf() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "\(Self.length)S", "-o", "take.wav",
      "--observe", "record,latency=0:exec=cat >all; cat all")
    #expect(run.standardError.contains("samples per channel came too late; the original went on"))
    #expect(run.ending == .exit(0))
    #expect(try samples("take.wav", of: bench) == Self.fed)
  }

  /// No tap starts if the device's format makes a frame size illegal.
  @Test func framesThatTheDeviceForbids() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "\(Self.length)S", "-o", "take.wav",
      "--samples-per-call", "441", "--observe", "record,samples-per-call=882:tap=tap.wav")
    #expect(run.standardError.contains("44100 Hz, 2 channels; the smallest is 882\n"))
    #expect(run.ending == .exit(64))
    #expect(!bench.exists("tap.wav"))
  }

  @Test func aSessionRecordsAndPlays() throws {
    var bench = try bench()
    bench.settings["OUTFILE"] = "played.raw"
    let remote = DeviceBytes.noise(4 * Self.length, seed: 2)
    try bench.write(remote, to: "remote.raw")
    let run = try bench.run(
      "session", "--local", "alsa:card", "--remote", "remote.raw", "--input-type", "wav",
      "--input-type", "raw", "--input-rate", "44100", "--input-channels", "2", "--input-format",
      "s16", "-d", "\(Self.length)S", "--playback", "play.wav", "--publish", "take.wav",
      "-r", "44100", "-c", "2", "-f", "s16", "-q")
    run.expectExit(0)
    #expect(try samples("play.wav", of: bench) == remote)
    let take = try bench.wave("take.wav")
    // The card prefers 48 kHz: 20000 samples of it are 18375 at 44.1 kHz.
    #expect(take.samples.count == 4 * 18_375)
  }

  @Test func aSessionPlaysItsSum() throws {
    var bench = try bench()
    bench.settings["OUTFILE"] = "played.raw"
    try bench.write(WaveFile(Self.fed).bytes, to: "a.wav")
    let run = try bench.run(
      "session", "--remote", "x=a.wav", "--playback", "alsa:card", "-f", "s16", "--observe",
      "before-mixing@x:tap=%s.wav", "--mixed", "m.wav", "-q")
    // With -q: on a busy machine a call may be late.
    run.expectExit(0)
    for name in ["x.wav", "m.wav"] { #expect(try samples(name, of: bench) == Self.fed) }
    let played = try bench.bytes(of: "played.raw")
    #expect(Array(played.prefix(Self.fed.count)) == Self.fed)
  }

  /// A live voice from a card ducks the music to the samples of an offline run.
  @Test func musicGoesDownUnderALiveVoice() throws {
    let rate = 48_000
    let bench = try CardBench(["INFILE": "voice.raw"])
    // One second each of silence, noise, silence.
    var noise = Noise(3)
    let silence = [Int16](repeating: 0, count: 2 * rate)
    let voice = silence + noise.samples(2 * rate, peak: 9_000) + silence
    try bench.write(WaveBytes.bytes(voice), to: "voice.raw")
    try bench.write(
      WaveBytes.file(voice, channelCount: 2, sampleRate: rate), to: "voice.wav")
    try bench.write(
      WaveBytes.file([Int16](repeating: 8_000, count: 3 * rate), sampleRate: rate), to: "music.wav")
    let options = "music.wav --duck 2:1,-20dB,attack=50ms,hold=0.1,release=0.2 -d 3 -r 48000 -c 1"
    let live = try bench.pipeline("rawaudio mix alsa:card \(options) -o live.wav")
    #expect(live.ending == .exit(0), "\(live.standardError)")
    let offline = try bench.pipeline("rawaudio mix voice.wav \(options) -o offline.wav")
    #expect(offline.ending == .exit(0), "\(offline.standardError)")
    let expected = try bench.wave("offline.wav").samples
    #expect(expected.count == 2 * 3 * rate)
    #expect(firstDifference(try bench.wave("live.wav").samples, expected) == nil)
  }

  @Test(arguments: [1, 2, 6])
  func theLoudnessOfACaptureIsThatOfItsFile(channels: Int) throws {
    var samples: [Int16] = []
    for index in 0..<3 * 48_000 {
      let sine = sin(2 * Double.pi * 997 * Double(index) / 48_000)
      for channel in 1...channels { samples.append(Int16(3_000 * Double(channel) * sine)) }
    }
    let bench = try CardBench(input: WaveBytes.bytes(samples))
    let run = try bench.pipeline(
      """
      rawaudio capture -q -D card -r 48000 -c \(channels) -f s16 -d 3 -o take.wav --observe record:loudness=told.json &&
        rawaudio measure --json-lines take.wav >found.json
      """)
    #expect(run.ending == .exit(0))
    func lines(_ name: String) throws -> [[String: Any]] {
      try bench.bytes(of: name).split(separator: UInt8(ascii: "\n")).compactMap {
        try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
      }
    }
    let told = try lines("told.json")
    #expect(
      told.map { $0["event"] as? String } == ["loudness", "loudness", "loudness", "measurement"])
    #expect(told.map { $0["samplePosition"] as? Int } == [48_000, 96_000, 144_000, 144_000])
    let (last, found) = (try #require(told.last), try #require(try lines("found.json").first))
    for name in ["loudness", "maxMomentary", "maxShortTerm", "truePeak", "samplePeak", "rms"] {
      let (one, other) = (last[name] as? Double, found[name] as? Double)
      #expect(abs(try #require(one) - (try #require(other))) <= 0.0005, "\(name)")
    }
    let integrated = try #require(told[2]["integrated"] as? Double)
    #expect(abs(integrated - (try #require(found["loudness"] as? Double))) <= 0.0005)
  }
}
