// SPDX-License-Identifier: Apache-2.0
import Testing

/// A capture to a file that can no longer grow: exit 1, and the written samples are kept.
@Suite(.needsVirtualCard) struct CaptureDiskTests {
  @Test func aFullDevice() throws {
    let bench = try CardBench()
    let named = try bench.run("capture", "-D", "card", "-o", "/dev/full")
    named.expectExit(1, "cannot write to '/dev/full': no space left on device")
    let redirected = try bench.pipeline("rawaudio capture -D card > /dev/full")
    redirected.expectExit(1, "cannot write to 'standard output': no space left on device")
  }

  @Test(arguments: ["take.wav", "take.flac", "take-%03d.wav --split signal"])
  func aRemovedFolder(_ output: String) throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try bench.pipeline(
      """
      mkdir folder; rawaudio capture -D card -o folder/\(output) & capture=$!
      until [ -s folder/take*.* ]; do sleep 0.01; done
      rm -r folder; wait $capture
      """)
    #expect(run.ending == .exit(1))
    #expect(run.standardError.hasPrefix("rawaudio: cannot write to 'folder/take"))
    #expect(run.standardError.contains("': it was removed while it was written"))
    #expect(run.standardError.split(separator: "\n").count == 1)
  }

  /// A limit of the shell replaces a small disk: setting it needs no privileges.
  @Test func aFileThatMayNotGrow() throws {
    let fed = DeviceBytes.noise(4 * 100_000)
    let bench = try CardBench(input: fed)
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
        + "the first \(take.samples.count / 4) samples per channel are kept\n")
  }

  /// The kept samples in the message are readable, in every container.
  @Test(arguments: ["flac", "aiff", "caf", "w64", "au"])
  func aFileOfLibsndfileThatMayNotGrow(type: String) throws {
    let fed = DeviceBytes.noise(4 * 100_000)
    let bench = try CardBench(input: fed)
    let run = try bench.pipeline(
      "trap '' XFSZ; ulimit -f 100; rawaudio capture -D card -r 44100 -o take.\(type)")
    #expect(run.ending == .exit(1))
    let match = try #require(
      run.standardError.wholeMatch(
        of:
          /rawaudio: cannot write to 'take\.\w+': file too large; the first (\d+) samples per .*\n/)
    )
    let kept = try #require(Int(match.1))
    // 25,600 samples per channel, without the header or an unfinished block.
    #expect((20_000...25_600).contains(kept))
    let read = try bench.pipeline("rawaudio convert take.\(type) -t raw -f s16 -o -")
    #expect(read.standardError == "")
    #expect(firstDifference(read.standardOutput, fed.prefix(4 * kept)) == nil)
  }

  /// An odd number of sample bytes: the padding byte finds no room, so the header does not count it.
  @Test func anOddAiffFileThatMayNotGrow() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try bench.pipeline(
      "trap '' XFSZ; ulimit -f 100; rawaudio capture -D card -r 96000 -c 1 -f s24 -o take.aiff")
    #expect(run.ending == .exit(1))
    // The header has 54 bytes.
    let kept = (102_400 - 54) / 3
    run.expectMessages(
      "cannot write to 'take.aiff': file too large; the first \(kept) samples per channel are kept")
    let bytes = try bench.bytes(of: "take.aiff")
    #expect(bytes.count == 54 + 3 * kept && kept % 2 == 1)
    func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(at: 4) == bytes.count - 8)
    #expect(number(at: 22) == kept)
    #expect(number(at: 42) == 3 * kept + 8)
  }
}
