// SPDX-License-Identifier: Apache-2.0
import TestProcess
import Testing

/// `capture --samples-per-call` into a pipe.
@Suite struct LivePieceTests {
  /// At full speed: the pieces are independent of the device's timing.
  @Test(arguments: [
    (TestProcess.Output.packets, 882, 64), (.packets, 2_000, 4_410), (.socket, 4_410, 441),
    (.socket, 60_000, 1_024),
  ])
  func eachWriteIsAPiece(_ output: TestProcess.Output, _ count: Int, _ period: Int) throws {
    let samples = (0..<100_000).map { Int16(truncatingIfNeeded: $0 &* 7) }
    let bytes = samples.flatMap { DeviceBytes.littleEndian($0) }
    let bench = try CardBench(input: bytes)
    let run = try bench.start(
      [
        "capture", "-D", "card", "-r", "44100", "-c", "2", "-f", "s16", "-d", "50000S",
        "--period-size", "\(period)", "-t", "raw", "--samples-per-call", "\(count)",
      ], output: output
    ).wait()
    #expect(run.standardError == "")
    let rest = 100_000 % count
    #expect(
      run.readLengths
        == Array(repeating: 2 * count, count: 100_000 / count) + (rest > 0 ? [2 * rest] : []))
    #expect(firstDifference(run.standardOutput, bytes) == nil)
  }

  /// The card stalls after ten pieces: a piece buffered until more samples come would be lost.
  @Test(arguments: ["", "-v", "--observe record:gain=0"])
  func aPieceWaitsForNothingElse(_ option: String) throws {
    let bytes = (0..<8_820).flatMap { DeviceBytes.littleEndian(Int16($0)) }
    let bench = try CardBench(["AT_EOF": "stall"], input: bytes)
    let run = try bench.pipeline(
      """
      mkfifo f
      rawaudio capture -D card -r 44100 -c 2 -f s16 --period-size 441 -t raw --samples-per-call 882 -o f \(option) &
      exec 3<f
      head -c 17640 <&3 >got
      kill -INT $!
      cat <&3 >rest
      wait $!
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(try firstDifference(bench.bytes(of: "got"), bytes) == nil)
    #expect(try bench.bytes(of: "rest").isEmpty)
  }
}
