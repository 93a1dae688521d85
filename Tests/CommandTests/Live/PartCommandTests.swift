// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--on-part` runs a command for every complete part, beside the recording.
@Suite(.needsVirtualCard) struct PartCommandTests {
  private static let fed = DeviceBytes.noise(4 * 10_000)

  private func bench(_ settings: [String: String] = [:]) throws -> CardBench {
    try CardBench(settings, input: Self.fed)
  }

  private func lines(_ name: String, in bench: CardBench) throws -> [String] {
    String(decoding: try bench.bytes(of: name), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  private func json(
    _ path: String, _ index: Int, at position: Int, _ length: Int, place: String = "publish"
  ) -> String {
    #"{"schema":1,"event":"part","place":"\#(place)","path":"\#(path)","index":\#(index),"#
      + #""position":\#(position),"samplesPerChannel":\#(length),"sampleRate":44100,"channels":2,"#
      + #""bytes":\#(80 + 4 * length)}"#
  }

  @Test func everyPartIsHandedOverWhenItIsWhole() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "2500S", "--no-bext", "--split", "1000S",
      "--json", "--observe", "record:events=log", "-o", "p %d-%02d.wav", "--on-part",
      #"printf '%s\n%s\n' "$RAWAUDIO_PART" "$RAWAUDIO_PART_JSON" >> told; cat "$RAWAUDIO_PART" > "copy-$RAWAUDIO_PART""#
    )
    #expect(run.ending == .exit(0))
    let told = try lines("told", in: bench)
    try #require(told.count == 6)
    let paths = [told[0], told[2], told[4]]
    for (index, length) in [1_000, 1_000, 500].enumerated() {
      #expect(paths[index].hasPrefix("p ") && paths[index].hasSuffix("-0\(index).wav"))
      let size = try bench.bytes(of: paths[index]).count
      #expect(
        try told[2 * index + 1].withoutTime()
          == json(paths[index], index, at: 1_000 * index, length)
          .replacing(#""bytes":\#(80 + 4 * length)"#, with: #""bytes":\#(size)"#))
      #expect(
        firstDifference(
          try bench.bytes(of: "copy-" + paths[index]), try bench.bytes(of: paths[index])) == nil)
    }
    let expected = [told[1], told[3], told[5]]
    let errors = run.standardError.split(separator: "\n").map(String.init)
    #expect(Array(errors.filter { $0.contains(#""event":"part""#) }) == expected)
    #expect(errors.last?.contains(#""event":"summary""#) == true)
    #expect(
      Array(try lines("log", in: bench).filter { $0.contains(#""event":"part""#) }) == expected)
  }

  @Test func theOnlyFileIsHandedOverToo() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "1000S", "-o", "take.flac", "--on-part",
      #"echo "$RAWAUDIO_PART" >> told; test $(wc -c < take.flac) -gt 42"#)
    run.expectExit(0)
    #expect(try lines("told", in: bench) == ["take.flac"])
  }

  /// A lost device ends the recording; the kept part is handed over.
  @Test(arguments: ["take.wav", "take-%02d.wav"])
  func whatALostDeviceGaveIsHandedOver(_ name: String) throws {
    let bench = try bench(["EVENTS": "5000:nodev"])
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-o", name, "--on-part",
      #"echo "$RAWAUDIO_PART" >> told"#)
    #expect(run.ending == .exit(1))
    #expect(try lines("told", in: bench) == [name.replacing("%02d", with: "00")])
  }

  /// Standard output may be the recording.
  @Test func whatTheCommandPrintsGoesToStandardError() throws {
    let bench = try bench()
    let run = try bench.run(
      "session", "--local", "alsa:card", "-d", "1000S", "--publish", "take.wav",
      "--mixed", "-", "--on-part", "echo printed; echo complained >&2")
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "printed\ncomplained\n")
    #expect(run.standardOutput.count == 44 + 4_000)
    #expect(firstDifference(Array(run.standardOutput.suffix(4_000)), Self.fed.prefix(4_000)) == nil)
  }

  @Test func failuresAreToldAndChangeNothing() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "2000S", "--split", "1000S", "-o",
      "p%02d.wav", "--on-part-retry", "none", "--on-part",
      "case $RAWAUDIO_PART in p00.wav) exit 3;; *) kill -TERM $$;; esac")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.split(separator: "\n").map(String.init) == [
        "rawaudio: --on-part for 'p00.wav': it exited with status 3",
        "rawaudio: --on-part for 'p01.wav': it was killed by signal 15 (terminated)",
      ])
    #expect(try bench.wave("p01.wav").samples.count == 4_000)
    #expect(bench.names == ["card.log", "fed.raw", "p00.wav", "p01.wav"])
  }

  /// The first command does not end before all parts exist.
  @Test func aCommandThatIsStuckHoldsUpNothing() throws {
    let bench = try bench()
    let process = try bench.start([
      "capture", "-D", "card", "-r", "44100", "-d", "9000S", "--split", "1000S", "-o", "p%02d.wav",
      "--on-part",
      #"while [ ! -e go ]; do sleep 0.01; done; echo "$RAWAUDIO_PART" >> told"#,
    ])
    #expect(bench.awaitFile("p08.wav"))
    #expect(!bench.exists("told"))
    try bench.write([], to: "go")
    let run = process.wait()
    #expect(run.ending == .exit(0))
    #expect(try lines("told", in: bench) == (0..<9).map { "p0\($0).wav" })
  }

  @Test func aSecondSignalGivesUp() throws {
    let bench = try bench()
    let process = try bench.start([
      "capture", "-D", "card", "-r", "44100", "-d", "3000S", "--split", "1000S", "-o", "p%02d.wav",
      "--on-part", "echo $$ > pid.new; mv pid.new pid; sleep 1000 & wait",
    ])
    func lastPart() -> WaveFile? { (try? bench.bytes(of: "p02.wav")).flatMap(WaveFile.init) }
    for _ in 0..<3_000 where lastPart()?.samples.count != 4_000 { usleep(10_000) }
    #expect(bench.awaitFile("pid"))
    let child = try #require(try lines("pid", in: bench).first.flatMap { pid_t($0) })
    while kill(child, 0) == 0 {
      process.send(signal: SIGINT)
      usleep(100_000)
    }
    let run = process.wait()
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError.hasSuffix(
        "rawaudio: --on-part was given up for 'p00.wav', and was not run for 2 more\n"))
    #expect(try bench.wave("p02.wav").samples.count == 4_000)
  }

  @Test func itNeedsAFile() throws {
    let bench = try bench()
    let run = try bench.run(
      "capture", "-D", "card", "-d", "1", "-o", "-", "--on-part", "true")
    #expect(run.ending == .exit(64))
    #expect(
      run.standardError.hasPrefix(
        "Error: '--on-part <command>' needs an output that is a file\n"))
  }
}
