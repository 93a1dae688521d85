// SPDX-License-Identifier: Apache-2.0
import Testing

/// `rawaudio session` on files with known sums.
@Suite struct SessionTests {
  private let directory = TemporaryDirectory()
  private let local: [Int16]
  private let anna: [Int16]
  private let ben: [Int16]
  private let music: [Int16]

  init() throws {
    var noise = Noise(31)
    local = noise.samples(2_000, peak: 8_000)
    anna = noise.samples(3_000, peak: 8_000)
    ben = noise.samples(1_500, peak: 8_000)
    music = noise.samples(2_500, peak: 8_000)
    for (name, samples) in [("l", local), ("a", anna), ("b", ben), ("m", music)] {
      try directory.write(WaveBytes.file(samples), "\(name).wav")
    }
  }

  private static let sources =
    "--local l.wav --remote room/anna=a.wav --remote room/ben=b.wav --shared m.wav"

  private func sum(_ streams: [Int16]...) -> [Int16] {
    let length = streams.map(\.count).max() ?? 0
    return (0..<length).map { at in streams.reduce(0) { $0 + (at < $1.count ? $1[at] : 0) } }
  }

  private func run(_ options: String) throws -> ProcessRun {
    try directory.pipeline("rawaudio session \(options)")
  }

  private func samples(_ name: String) throws -> [Int16] {
    try WaveBytes.samples(directory.bytes(name))
  }

  @Test func threeSinksAndATrackForEveryone() throws {
    let run = try run(
      "\(Self.sources) --publish p.wav --playback - --mixed x.wav"
        + " --observe 'before-mixing:tap=track-%s.wav' --observe record:tap=%s%%.wav"
        + " --observe playback:tap=%s.wav --observe mixed:tap=%s.wav")
    run.expectExit(0)
    let playback = sum(anna, ben, music)
    #expect(try samples("p.wav") == local)
    #expect(WaveBytes.samples(run.standardOutput) == playback)
    #expect(try samples("x.wav") == sum(local, playback))
    #expect(try samples("track-room-anna.wav") == anna)
    #expect(try samples("track-room-ben.wav") == ben)
    #expect(try samples("track-shared.wav") == music)
    #expect(try samples("local%.wav") == local)
    #expect(try samples("playback.wav") == playback)
    #expect(try samples("mixed.wav") == sum(local, playback))
  }

  /// Two groups with an anna each, and the shared sum beside the mix.
  @Test func groupsAreKeptApart() throws {
    try directory.write(WaveBytes.file(Array(anna.prefix(700))), "short.wav")
    let run = try run(
      "--remote room/anna=a.wav --remote hall/anna=short.wav --shared screen=m.wav --playback p.wav"
        + " --observe before-mixing:tap=track-%s.wav --observe before-mixing@hall/anna:tap=one.wav"
        + " --observe shared:tap=shared.wav --json")
    #expect(run.ending == .exit(0))
    let told = run.standardError
    #expect(
      told.contains(#"{"name":"a.wav","source":"anna","group":"room","samplesPerChannel":3000,"#))
    #expect(
      told.contains(#"{"name":"short.wav","source":"anna","group":"hall","samplesPerChannel":700,"#)
    )
    #expect(told.contains(#"{"name":"m.wav","source":"screen","samplesPerChannel":2500,"#))
    #expect(try samples("track-room-anna.wav") == anna)
    #expect(try samples("track-hall-anna.wav") == Array(anna.prefix(700)))
    #expect(try samples("one.wav") == Array(anna.prefix(700)))
    #expect(try samples("track-screen.wav") == music)
    let shared = try samples("shared.wav")
    #expect(shared == music + Array(repeating: 0, count: shared.count - music.count))
    #expect(try samples("p.wav") == sum(sum(anna, Array(anna.prefix(700))), shared))
  }

  @Test func whatIsSharedCanOnlyBeLookedAt() throws {
    let run = try run("\(Self.sources) --playback p.wav --observe shared:gain=-6")
    #expect(
      run.standardError.contains(
        "nothing takes the shared stream of this session, so an observer cannot edit it; "
          + "edit at before-mixing, or say mode=read-only"))
    #expect(run.ending == .exit(64))
  }

  @Test func editsOfOneSourceAreHeardInThatSourceOnly() throws {
    let run = try run(
      "\(Self.sources) --playback - -t raw --observe before-mixing@room/ben:gain=-20"
        + " --observe before-mixing@room/anna:tap=t.wav")
    #expect(run.standardError == "")
    #expect(try samples("t.wav") == anna)
    let heard = WaveBytes.int16s(run.standardOutput)
    let expected = (0..<3_000).map { (at: Int) -> Double in
      let quiet = at < ben.count ? Double(ben[at]) / 10 : 0
      let other = at < music.count ? Double(music[at]) : 0
      return Double(anna[at]) + quiet + other
    }
    #expect(heard.count == expected.count)
    #expect(zip(heard, expected).allSatisfy { abs(Double($0) - $1) < 0.501 })
  }

  @Test func theDurationTrimsTheLocalSourceAndTheSum() throws {
    let run = try run("\(Self.sources) --publish p.wav --playback y.wav --mixed x.wav -d 1000S")
    #expect(run.standardError == "")
    let playback = sum(anna, ben, music).prefix(1_000)
    #expect(try samples("p.wav") == Array(local.prefix(1_000)))
    #expect(try samples("y.wav") == Array(playback))
    #expect(try samples("x.wav") == sum(Array(local.prefix(1_000)), Array(playback)))
  }

  @Test func theRateIsThatOfTheSumsAndOfEveryFile() throws {
    let run = try run(
      "\(Self.sources) --publish p.wav --playback y.wav -r 16000 -c 2 -v --observe"
        + " playback:events=e.json")
    #expect(run.standardError.contains("rawaudio: sum: 16000 Hz, 2 channels\n"))
    for name in ["p.wav", "y.wav"] {
      let information = try directory.run("info", name)
      #expect(information.outputText.contains("16000 Hz"))
    }
    let lines = String(decoding: try directory.bytes("e.json"), as: UTF8.self)
    // 3000 samples at 48 kHz are 1000 at 16 kHz.
    #expect(lines.split(separator: "\n").count == 7)
  }

  @Test func headerlessSourcesInTheirOrder() throws {
    try directory.write(WaveBytes.bytes(local), "l.raw")
    try directory.write(WaveBytes.bytes(anna), "a.raw")
    let run = try run(
      "--remote a.raw --local l.raw --mixed x.wav --input-type raw --input-format s16"
        + " --input-channels 1 --input-rate 48000 --input-rate 24000 -v")
    #expect(run.standardError.contains("rawaudio: local: 'l.raw', 48000 Hz"))
    #expect(run.standardError.contains("rawaudio: 1: 'a.raw', 24000 Hz"))
  }

  @Test func observersAreEnough() throws {
    try run("--remote a.wav --observe before-mixing:tap=%s.wav").expectExit(0)
    #expect(try samples("1.wav") == anna)
  }

  @Test func anOutputThatExistsNeedsForce() throws {
    let refused = try run("--remote a.wav --observe before-mixing:tap=b.wav")
    refused.expectExit(1, "cannot write to 'b.wav': it exists already; use --force to overwrite")
    #expect(try samples("b.wav") == ben)
    #expect(try run("--remote a.wav --force --observe before-mixing:tap=b.wav").ending == .exit(0))
    #expect(try samples("b.wav") == anna)
  }

  /// A service runs a session again and again.
  @Test func aPatternNamesAFileOfEachRun() throws {
    for source in ["a", "b"] {
      try run(
        "--remote \(source).wav --local l.wav --playback 'take-%03d.wav' --publish 'own-%02d.wav'"
      )
      .expectExit(0)
    }
    #expect(try samples("take-000.wav") == anna)
    #expect(try samples("take-001.wav") == ben)
    #expect(try samples("own-01.wav") == local)
    try run("--remote m.wav --playback 'take-%03d.wav' --force").expectExit(0)
    #expect(try samples("take-000.wav") == music)

    let year = try directory.pipeline("date -u +%Y")
    try run("--remote a.wav --playback 'of-%Y.wav' --utc").expectExit(0)
    #expect(try samples("of-\(year.outputText.prefix(4)).wav") == anna)
    let unclear = try run("--remote a.wav --playback 'out%d.wav'")
    #expect(unclear.ending == .exit(64))
    #expect(unclear.standardError.contains("'%d' is the day of the month"))
  }

  @Test func aSessionWhoseFilesExistIsSkippedOrReplacesThem() throws {
    let line = "--remote a.wav --local l.wav --playback p.wav --publish l2.wav --existing"
    try run("\(line) skip").expectExit(0)
    try directory.write(WaveBytes.file(ben), "p.wav")
    try run("\(line) skip").expectExit(0, "nothing to do: the files of all sinks exist")
    #expect(try samples("p.wav") == ben)
    let partly = try run("--remote a.wav --mixed new.wav --playback p.wav --existing skip")
    partly.expectExit(1, "cannot write to 'p.wav': it exists already; use --force to overwrite")
    try run("\(line) fail").expectExit(
      1, "cannot write to 'l2.wav': it exists already; use --force to overwrite")
    try run("\(line) replace").expectExit(0)
    #expect(try samples("p.wav") == anna)
    let both = try run("\(line) skip --force")
    #expect(both.ending == .exit(64))
    #expect(both.standardError.contains("'--force' replaces outputs; '--existing skip' does not"))
  }
}
