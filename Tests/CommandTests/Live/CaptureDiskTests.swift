import Testing

/// A capture whose file cannot grow any more: exit 1, and what was written is kept.
@Suite(.needsVirtualCard) struct CaptureDiskTests {
  @Test func aFullDevice() throws {
    let bench = try CardBench()
    let named = try bench.run("capture", "-D", "card", "-o", "/dev/full")
    #expect(
      named.standardError == "rawaudio: cannot write to '/dev/full': no space left on device\n")
    #expect(named.ending == .exit(1))
    let redirected = try bench.pipeline("rawaudio capture -D card > /dev/full")
    #expect(
      redirected.standardError
        == "rawaudio: cannot write to 'standard output': no space left on device\n")
    #expect(redirected.ending == .exit(1))
  }

  /// A limit of the shell stands for a small disk: no rights are needed to set it.
  @Test func aFileThatMayNotGrow() throws {
    let fed = DeviceBytes.noise(4 * 100_000)
    let bench = try CardBench(["INFILE": "fed.raw"])
    try bench.write(fed, to: "fed.raw")
    let run = try bench.pipeline(
      "trap '' XFSZ; ulimit -f 100; rawaudio capture -D card -o take.wav")
    #expect(run.ending == .exit(1))
    let bytes = try bench.bytes(of: "take.wav")
    #expect(bytes.count <= 102_400)
    let take = try #require(WaveFile(parsing: bytes))
    #expect(firstDifference(take.samples, fed.prefix(take.samples.count)) == nil)
    #expect(take.samples.count > 100_000)
    #expect(
      run.standardError == "rawaudio: cannot write to 'take.wav': file too large; "
        + "\(take.samples.count / 4) samples per channel were written before\n")
  }
}
