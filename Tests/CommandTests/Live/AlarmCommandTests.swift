// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--on-alarm` runs a command for each alarm that begins or ends, beside the recording.
@Suite(.needsVirtualCard) struct AlarmCommandTests {
  /// A second of sound, of silence, and of sound, in mono at 8 kHz.
  private static let tape =
    [Int16(16_384), 0, 16_384].flatMap { magnitude in
      (0..<8_000).flatMap { DeviceBytes.littleEndian($0 / 50 % 2 == 0 ? magnitude : -magnitude) }
    }

  private func run(_ command: String, in bench: CardBench) throws -> ProcessRun {
    try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-f", "s16", "-d", "24000S", "--json",
      "--alarm-silence", "500ms", "-o", "take.wav", "--on-alarm", command)
  }

  private func lines(_ name: String, in bench: CardBench) throws -> [String] {
    String(decoding: try bench.bytes(of: name), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  @Test func eachBeginAndEndIsHandedOver() throws {
    let bench = try CardBench(input: Self.tape)
    let run = try run(
      #"printf '%s %s %s\n' "$RAWAUDIO_ALARM" "$RAWAUDIO_ALARM_STATE" "$RAWAUDIO_ALARM_JSON" >> told"#,
      in: bench)
    #expect(run.ending == .exit(0))
    let alarms = run.standardError.split(separator: "\n").filter {
      $0.contains(#""event":"alarm""#)
    }
    try #require(alarms.count == 2)
    #expect(
      try lines("told", in: bench) == ["silence begin \(alarms[0])", "silence end \(alarms[1])"])
  }

  @Test func aFailureIsToldAndChangesNothing() throws {
    let bench = try CardBench(input: Self.tape)
    let run = try run("echo >> told; exit 7", in: bench)
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.split(separator: "\n").filter { $0.contains("--on-alarm") } == [
        "rawaudio: --on-alarm for alarm 1 (silence, begin): it exited with status 7",
        "rawaudio: --on-alarm for alarm 2 (silence, end): it exited with status 7",
      ])
    #expect(String(decoding: try bench.bytes(of: "told"), as: UTF8.self) == "\n\n")
    #expect(try bench.wave("take.wav").samples.count == Self.tape.count)
  }

  /// The command ends only after the file is complete.
  @Test func aCommandThatIsStuckHoldsUpNothing() throws {
    let bench = try CardBench(input: Self.tape)
    let process = try bench.start([
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-f", "s16", "-d", "24000S",
      "--alarm-silence", "500ms", "-o", "take.wav", "--on-alarm",
      "until [ -e go ]; do sleep 0.01; done; echo >> told",
    ])
    func take() -> WaveFile? { (try? bench.bytes(of: "take.wav")).flatMap(WaveFile.init) }
    for _ in 0..<3_000 where take()?.samples.count != Self.tape.count { usleep(10_000) }
    #expect(take()?.samples.count == Self.tape.count)
    try bench.write([], to: "go")
    #expect(process.wait().ending == .exit(0))
    #expect(String(decoding: try bench.bytes(of: "told"), as: UTF8.self) == "\n\n")
  }
}
