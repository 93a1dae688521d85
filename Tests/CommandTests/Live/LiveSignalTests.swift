// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// Signals, and readers that close the pipe: the usual ways to end a live command.
@Suite(.needsVirtualCard) struct LiveSignalTests {
  private static let fed = DeviceBytes.noise(4 * 100_000)
  /// The length of the device's own buffer at 44100 Hz, which is not read after the signal.
  private static let bufferSize = 22_050

  /// The device raises the signal half-way, and delivers nothing after its last sample.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aCaptureIsCompleted(signal: Int32) throws {
    let bench = try CardBench(
      ["AT_EOF": "stall", "EVENTS": "50000:signal:\(signal)"], input: Self.fed)
    let run = try bench.run("capture", "-D", "card", "-r", "44100", "-o", "take.wav")
    try expectCompleted(run, bench)
  }

  @Test func aCaptureIsCompletedWhileItsDeviceIsSilent() throws {
    let bench = try CardBench(["EVENTS": "100000:touch:cue 100000:stall:3600000"], input: Self.fed)
    let process = try bench.start(["capture", "-D", "card", "-r", "44100", "-o", "take.wav"])
    #expect(bench.awaitFile("cue"))
    try expectCompleted(process.wait(sending: SIGINT), bench)
  }

  /// In real time the tone would last longer than a test waits.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aPlaybackEndsAtOnce(signal: Int32) throws {
    let bench = try CardBench(["SPEED": "1", "EVENTS": "4800:signal:\(signal)"])
    try bench.run("play", "-D", "card", "tone:440", "-d", "1:0:0").expectExit(0)
    let played = try #require(try bench.counts()["played"])
    #expect(played >= 4_800)
  }

  @Test func aReaderThatGoesAwayEndsACaptureQuietly() throws {
    let bench = try CardBench(["AT_EOF": "silence"], input: Self.fed)
    let run = try bench.pipeline("rawaudio capture -D card -r 44100 | head -c 1000 | wc -c")
    #expect(run.standardError == "")
    #expect(run.outputText == "1000\n")
    #expect(run.ending == .exit(0))
  }

  /// Until the second signal everything is delivered, even to a slow reader.
  @Test func aSecondSignalGivesUpAReaderThatStandsStill() throws {
    let bench = try CardBench(["EVENTS": "400000:touch:cue"])
    let run = try bench.pipeline(
      """
      mkfifo pipe; exec 3<>pipe
      rawaudio capture -D card -r 44100 -t raw >pipe & command=$!
      until [ -e cue ]; do sleep 0.02; done
      while kill -INT $command 2>/dev/null; do sleep 0.2; done
      wait $command
      """)
    run.expectExit(1, "cannot finish: it was interrupted again before everything was delivered")
  }

  /// Expects every sample read from the device in the file, and its length in the header.
  private func expectCompleted(_ run: ProcessRun, _ bench: CardBench) throws {
    run.expectExit(0)
    let take = try bench.wave("take.wav")
    #expect(firstDifference(take.samples, Self.fed.prefix(take.samples.count)) == nil)
    let position = try #require(try bench.counts()["position"])
    #expect(take.samples.count / 4 <= position)
    #expect(take.samples.count / 4 >= position - Self.bufferSize)
  }
}
