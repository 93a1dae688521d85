// SPDX-License-Identifier: Apache-2.0
import Testing

/// `--observe …:exec=…`: the effect of a user's program on the stream and on the exit code.
@Suite struct ExternalProgramTests {
  private let directory = TemporaryDirectory()
  private let samples: [Int16]

  init() throws {
    var noise = Noise(33)
    samples = noise.samples(2 * 30_000, peak: 12_000)
    try directory.write(WaveBytes.file(samples, channelCount: 2), "a.wav")
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("rawaudio \(line)")
  }

  @Test(arguments: ["record:", "record,encoding=s16:", "record,mode=read-only,encoding=u8:"])
  func catIsNoChange(_ position: String) throws {
    let run = try run("convert a.wav -o b.wav --observe '\(position)exec=cat'")
    #expect(run.standardError == "")
    #expect(try WaveBytes.samples(directory.bytes("b.wav")) == samples)
  }

  @Test func catAtEveryPosition() throws {
    let plain = try run("session --local a.wav --remote x=a.wav --mixed - -t raw").standardOutput
    for position in ["record", "before-mixing@x", "playback", "mixed"] {
      let line = "session --local a.wav --remote x=a.wav --mixed - -t raw"
      let run = try run("\(line) --observe '\(position):exec=cat'")
      #expect(run.standardError == "")
      #expect(run.standardOutput == plain)
    }
    #expect(WaveBytes.int16s(plain) == samples.map { 2 * $0 })
  }

  @Test func soxIsAStage() throws {
    let command =
      "sox -D -t raw -r $RAWAUDIO_RATE -c $RAWAUDIO_CHANNELS -e signed -b 16 - -t raw - vol 0.5"
    let run = try run("convert a.wav -t raw -o - --observe 'record,encoding=s16:exec=\(command)'")
    #expect(run.ending == .exit(0))
    let halved = WaveBytes.int16s(run.standardOutput)
    #expect(halved.count == samples.count)
    #expect(zip(halved, samples).allSatisfy { abs(2 * Int($0) - Int($1)) <= 1 })
  }

  @Test func theEnvironmentDescribesTheStream() throws {
    let run = try run(
      "session --remote room/x=a.wav --observe 'before-mixing,rate=16000,channels=1,encoding=s16,"
        + "samples-per-call=1600,mode=read-only:exec=env | grep ^RAWAUDIO_ | sort >env; cat >/dev/null'"
    )
    #expect(run.standardError == "")
    #expect(
      String(decoding: try directory.bytes("env"), as: UTF8.self) == """
        RAWAUDIO_CHANNELS=1
        RAWAUDIO_ENCODING=s16
        RAWAUDIO_GROUP=room
        RAWAUDIO_POSITION=before-mixing
        RAWAUDIO_RATE=16000
        RAWAUDIO_SAMPLES_PER_CALL=1600
        RAWAUDIO_SOURCE=x

        """)
  }

  /// Its output is its input with 1 in place of 0.
  @Test func aGeneratorIsGivenSilence() throws {
    let run = try run(
      "convert a.wav -t raw -o - --observe 'record,mode=write-only,encoding=s8:exec=LC_ALL=C tr"
        + #" "\000" "\001"'"#)
    #expect(run.standardError == "")
    #expect(WaveBytes.int16s(run.standardOutput) == samples.map { _ in 256 })
  }

  @Test func aGeneratorReplacesTheStream() throws {
    let run = try run(
      "convert a.wav -t raw -o - --observe 'record,mode=write-only,encoding=s16:exec=yes 123'")
    #expect(run.standardError == "")
    let text = Array(String(repeating: "123\n", count: samples.count / 2).utf8)
    #expect(run.standardOutput == text)
  }

  private static let free =
    "; a read-write program must give back as many samples as it is given; one that changes the length is asked for by"
    + " length=free\n"

  private func freely(_ command: String, _ more: String = "") throws -> ProcessRun {
    try run(
      "convert a.wav -t raw -o - \(more) --observe 'record,length=free,encoding=s16:exec=\(command)'"
    )
  }

  /// A program that gives less and ends early, one that gives more after the end, and one that gives nothing.
  @Test func theStreamIsAsLongAsWhatAProgramGives() throws {
    let head = try freely("head -c 4000")
    #expect(head.standardError == "")
    #expect(WaveBytes.int16s(head.standardOutput) == Array(samples.prefix(2_000)))
    let more = try freely("cat; head -c 2000000 /dev/zero")
    #expect(more.standardError == "")
    #expect(
      WaveBytes.int16s(more.standardOutput) == samples + Array(repeating: 0, count: 1_000_000))
    let none = try freely("cat >/dev/null")
    none.expectMessages(
      "'standard output' holds no sample: there was nothing to take from the input")
    #expect(none.standardOutput == [])
  }

  @Test func anotherTempoIsThatOfSox() throws {
    let raw = "-t raw -r 48000 -c 2 -e signed -b 16 -"
    let run = try freely("sox -D \(raw) -t raw - tempo 1.5")
    let alone = try directory.pipeline("sox -D a.wav -t raw - tempo 1.5")
    #expect(run.standardError == "")
    #expect(!run.standardOutput.isEmpty)
    #expect(run.standardOutput == alone.standardOutput)
  }

  /// Later observers act on the new length.
  @Test func aFadeBehindIt() throws {
    let run = try run(
      "convert a.wav -t raw -o - --observe 'record,length=free,encoding=s16:exec=head -c 4000'"
        + " --observe record:fade-out=500S")
    let result = WaveBytes.int16s(run.standardOutput)
    #expect(result.count == 2_000)
    #expect(Array(result.prefix(1_000)) == Array(samples.prefix(1_000)))
    // The last sample frame of a fade of 500 is at 1 ⁄ 500.
    #expect(result.suffix(2).allSatisfy { abs($0) <= 25 })
  }

  @Test(arguments: [
    ("exit 3", "it exited with status 3"), ("head -c 4001", "it gave"),
  ])
  func faultsOfAProgramThatChangesTheLength(_ command: String, _ reason: String) throws {
    let run = try freely(command)
    #expect(run.standardError.hasPrefix("rawaudio: cannot run '\(command)': \(reason)"))
    #expect(run.ending == .exit(1))
  }

  @Test func aLiveSessionRefusesIt() throws {
    let run = try run(
      "convert a.wav -o null: --observe 'record,length=free,mode=read-only:exec=cat'")
    #expect(run.standardError.contains("length=free is for a program that reads and writes"))
    #expect(run.ending == .exit(64))
  }

  @Test(arguments: [
    ("exit 3", "it exited with status 3"),
    ("head -c 4000", Self.free),
    ("cat; echo more", Self.free),
  ])
  func faultsEndTheRun(_ command: String, _ reason: String) throws {
    let run = try run("convert a.wav -o b.wav --observe 'record:exec=\(command)'")
    #expect(run.standardError.hasPrefix("rawaudio: cannot run '\(command)': "))
    #expect(run.standardError.contains(reason))
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(run.ending == .exit(1))
    #expect(directory.names == ["a.wav"])
  }

  @Test func aProgramThatStandsStill() throws {
    let run = try run("convert a.wav -o b.wav --observe 'record,timeout=0.3:exec=sleep 1000'")
    #expect(run.standardError.contains("neither its input nor its output moved for 0.3 seconds"))
    #expect(run.ending == .exit(1))
  }

  @Test func verboseAccountsForEverySample() throws {
    let run = try run("convert a.wav -v -o null: --observe record:exec=cat")
    #expect(
      run.standardError.contains(
        "rawaudio: observer 'record:exec=cat': 30000 samples per channel in, 30000 out\n"))
  }
}
