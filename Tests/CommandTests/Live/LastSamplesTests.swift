// SPDX-License-Identifier: Apache-2.0
import Testing

/// `capture --last`: the last samples in front of each SIGUSR1, each sample in one file at most.
@Suite(.needsVirtualCard) struct LastSamplesTests {
  /// Each sample of the card is its own position. SIGUSR1 comes every 400,000 of them: about two seconds.
  private func record(_ options: String..., parts: Int = 3) throws -> [[Int32]] {
    let events = (1...parts).map { _ in "+400000:signal:10" }
    let bench = try CardBench(["SPEED": "1", "RATES": "0", "EVENTS": events.joined(separator: " ")])
    let run = try bench.start(
      [
        "capture", "-D", "card", "-r", "192000", "-c", "1", "-f", "s32", "-d",
        "\(400_000 * (parts + 1))S", "-o", "l-%02d.wav", "--period-size", "10ms", "--buffer-size",
        "250ms", "--sync", "never",
      ] + options
    ).wait()
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(!bench.exists("l-0\(parts).wav"))
    return try (0..<parts).map { part in
      let bytes = try bench.wave("l-0\(part).wav").samples
      return stride(from: 0, to: bytes.count, by: 4).map { place in
        (0..<4).reduce(Int32(0)) { $0 | Int32(bytes[place + $1]) << (8 * Int32($1)) }
      }
    }
  }

  private func isInOneRow(_ samples: [Int32]) -> Bool {
    zip(samples, samples.dropFirst()).allSatisfy { $1 == $0 + 1 }
  }

  @Test func theLastTenthOfASecond() throws {
    let files = try record("--last", "0.1")
    for file in files {
      #expect(file.count == 19_200)
      #expect(isInOneRow(file))
    }
    for (file, next) in zip(files, files.dropFirst()) {
      #expect(try #require(file.last) < #require(next.first))
    }
  }

  /// More is kept than comes between two signals: nothing is missing, and nothing comes twice.
  @Test func noSampleComesTwiceOrIsMissing() throws {
    let files = try record("--last", "10")
    #expect(files[0].first == 0)
    #expect(isInOneRow(files.flatMap(\.self)))
  }

  @Test(arguments: [
    ("--last 1 -o x.wav", "all parts would have the same name"),
    ("--last 1 --split 60 -o x-%02d.wav", "'--last <time>' does not go with '--split <point>'"),
    (
      "--last 1 --threshold -40 -o x-%02d.wav",
      "'--last <time>' does not go with '--threshold <db>'"
    ),
    ("--last 1 -o -", "'--last <time>' needs an output that is a file"),
  ])
  func mistakes(_ options: String, _ text: String) throws {
    let bench = try CardBench()
    let run = try bench.pipeline("rawaudio capture -D card -d 1 \(options)")
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains(text), "\(run.standardError)")
  }

  @Test func moreThanMemoryHolds() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "48000", "-c", "2", "-d", "1", "--last", "10:00:00", "-o",
      "x-%02d.wav")
    run.expectExit(
      1,
      "cannot keep the last '36000.0 seconds': 2 channels at 48000 Hz take more than 2 GiB")
  }
}
