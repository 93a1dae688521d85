// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// From one device to another.
@Suite(.needsVirtualCard) struct DuplexTests {
  /// 8 kHz and a buffer of 1 s, so that neither a debug build nor a busy machine is too slow.
  private static let options = [
    "--period-size", "20ms", "--buffer-size", "1000ms", "--resampler-quality", "fast", "-d", "4",
  ]
  private static let amplitude = 12_000.0
  private static let cycles = 500.0 / 8_000

  private func bench() throws -> CardBench {
    let tone = (0..<40_000).flatMap { index in
      DeviceBytes.littleEndian(
        Int16(Self.amplitude * cos(2 * Double.pi * Self.cycles * Double(index))))
    }
    return try CardBench(["RATES": "8000", "CHANNELS": "1", "FORMATS": "S16_LE"], input: tone)
  }

  private func run(
    _ bench: CardBench, from source: String, to sink: String, _ more: String...
  ) throws -> ProcessRun {
    try bench.start(
      [
        "session", source, "alsa:card:SPEED=1.0005,LOG=captured.log", sink,
        "alsa:card:SPEED=0.9995,LOG=played.log,OUTFILE=played.raw",
      ] + Self.options + more
    ).wait()
  }

  private func samples(_ bytes: [UInt8]) -> [Int] { WaveBytes.int16s(bytes).map(Int.init) }

  /// Expects silence for the delay, then the tone without an interruption.
  private func expectTone(_ played: [Int], behind delay: Int) {
    #expect(played.prefix(delay - 33).allSatisfy { $0 == 0 })
    let tone = Array(played.dropFirst(delay))
    #expect(abs(Double(tone.first ?? 0)) > Self.amplitude / 3)
    let inner = tone.dropFirst(100).dropLast(100)
    let bend = 2 * (1 - cos(2 * Double.pi * Self.cycles)) * Self.amplitude
    let bends = zip(inner, zip(inner.dropFirst(), inner.dropFirst(2))).map {
      abs($0 - 2 * $1.0 + $1.1)
    }
    #expect(Double(bends.max() ?? 0) < bend * 1.01 + 4)
  }

  /// Neither the fill of the playing device ahead nor a pause leaves a gap in the local source.
  @Test(arguments: [false, true])
  func mixedIsTheSumSampleBySample(pauses: Bool) throws {
    let events = pauses ? ",EVENTS=24000:signal:\(SIGTSTP)" : ""
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start([
      "session", "--local", "alsa:card:LOG=captured.log\(events)", "--remote", "silence:",
      "--playback", "alsa:card:LOG=played.log,OUTFILE=played.raw", "--mixed", "mixed.wav",
      "--buffer-size", "1000ms", "-d", "48000S", "--fail-on", "xrun", "--json",
    ])
    if pauses {
      #expect(process.awaitStop())
      // Longer than the playing device's buffer.
      process.stayStopped(for: .milliseconds(400))
      process.send(signal: SIGCONT)
    }
    let run = process.wait()
    #expect(run.ending == .exit(0))
    let last = run.standardError.split(separator: "\n").last ?? ""
    #expect(last.contains("\"missingSamplesPerChannel\":0"))
    let mixed = try bench.wave("mixed.wav")
    #expect(mixed.samples.count == 4 * 48_000)
    // Every sample of the card is its own position.
    let left = samples(mixed.samples).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let jumps = zip(left, left.dropFirst()).filter { UInt16(truncatingIfNeeded: $1 - $0) != 1 }
    #expect(jumps.count == (pauses ? 1 : 0))
    #expect(try bench.bytes(of: "played.raw").count == 4 * 48_000)
  }

  /// The latency of an observer is part of the wait: every stream keeps its time, and no source counts as missing.
  @Test(arguments: [
    "record:exec=cat", "record,latency=22050:exec=cat", "record,samples-per-call=96000:gain=0",
  ])
  func whatIsHeldBackKeepsItsPlace(observer: String) throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try bench.start([
      "session", "--local", "alsa:card", "--remote", "silence:", "--mixed", "mixed.wav", "-d",
      "96000S", "--observe", observer, "--json",
    ]).wait()
    #expect(run.ending == .exit(0))
    let last = run.standardError.split(separator: "\n").last ?? ""
    #expect(last.contains("\"missingSamplesPerChannel\":0"))
    let mixed = try bench.wave("mixed.wav")
    let left = samples(mixed.samples).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    // Every sample of the card is its own position.
    #expect(left.count == 96_000)
    let moved = left.enumerated().first { UInt16(truncatingIfNeeded: $1) != UInt16($0 % 65_536) }
    #expect(moved == nil)
  }

  @Test func publishFollowsItsDevice() throws {
    let bench = try bench()
    let run = try run(bench, from: "--local", to: "--publish", "-v")
    #expect(run.ending == .exit(0))
    // 1000 + 2 × 20 + 20 ms, and half of 64 taps.
    #expect(
      run.standardError.contains(
        "rawaudio: publish: its clock is followed, 1064.0 ms behind 'local' (playback buffer 1000.0"
          + " ms, reserve 40.0 ms, capture period 20.0 ms, resampler 4.0 ms)\n"))
    #expect(run.standardError.contains("rawaudio: publish: 10"))
    #expect(!run.standardError.contains("xrun"))
    #expect(!run.standardError.contains("set right"))
    #expect(try bench.counts("captured.log")["xruns"] == 0)
    #expect(try bench.counts("played.log")["xruns"] == 0)
    let played = samples(try bench.bytes(of: "played.raw"))
    expectTone(played, behind: 8_512)
    // The samples captured in four seconds, to within the limit of the ratio.
    #expect(abs(played.count - 8_512 - 32_000) <= 33)
  }

  @Test func aSumFollowsItsDevice() throws {
    let bench = try bench()
    try run(bench, from: "--remote", to: "--playback").expectExit(0)
    #expect(try bench.counts("captured.log")["xruns"] == 0)
    #expect(try bench.counts("played.log")["xruns"] == 0)
    let played = samples(try bench.bytes(of: "played.raw"))
    expectTone(played, behind: 8_512)
    // The sum has the requested duration, including the delay.
    #expect(played.count == 32_000)
  }

  /// An underrun leads to a resynchronisation within its own gap, which is reported.
  @Test func anUnderrunIsTold() throws {
    let bench = try bench()
    let run = try bench.start(
      [
        "session", "--local", "alsa:card:SPEED=1,LOG=captured.log", "--publish",
        "alsa:card:SPEED=1.0001,LOG=played.log,EVENTS='16000:xrun'",
      ] + Self.options
    ).wait()
    #expect(run.ending == .exit(0))
    #expect(run.standardError.contains(": 1 underrun\n"))
    // A busy machine may need another resynchronisation.
    #expect(
      run.standardError.contains(
        /rawaudio: publish: latency behind 'local' set right (once|\d+ times): [1-9]\d* samples per channel of silence put in, \d+ left out\n/
      ))
  }

  /// A single clock leaves nothing to follow, and the samples stay unchanged.
  @Test func oneDeviceStaysExact() throws {
    let fed = DeviceBytes.noise(2 * 2 * 20_000)
    let bench = try CardBench(["OUTFILE": "played.raw"], input: fed)
    let run = try bench.run(
      "session", "-v", "--local", "alsa:card", "--publish", "alsa:card", "-d", "20000S")
    #expect(run.ending == .exit(0))
    #expect(!run.standardError.contains("followed"))
    #expect(firstDifference(try bench.bytes(of: "played.raw"), fed) == nil)
  }
}
