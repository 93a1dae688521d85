// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// sox's own format between its processes is read, as a file and from a pipe.
@Suite struct SoxPipeTests {
  private func run(_ line: String, in directory: TemporaryDirectory) throws -> ProcessRun {
    try directory.mustRun(
      "sox -n -r 22050 -b 32 -c 2 in.wav synth 0.5 sine 440 sine 880")
    return try directory.pipeline(line)
  }

  @Test(arguments: [
    "sox in.wav -p | rawaudio convert - -f s32 -t raw -o mine",
    "sox in.wav -t sox a.sox && rawaudio convert a.sox -f s32 -t raw -o mine",
    "sox in.wav -B -t sox a.sox && rawaudio convert - -f s32 -t raw -o mine <a.sox",
    "sox in.wav --comment 'a much longer comment than there was' -t sox - | "
      + "rawaudio convert - --input-type sox -f s32 -t raw -o mine",
  ])
  func samplesAreThoseOfSox(_ line: String) throws {
    let directory = TemporaryDirectory()
    let run = try run(
      "\(line) && sox in.wav -t s32 their && cmp mine their && wc -c <mine", in: directory)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.standardError == "")
    #expect(run.outputText.trimmingCharacters(in: .whitespacesAndNewlines) == "88200")
  }

  /// sox takes the type from its first read.
  @Test(arguments: ["wav", "au", "flac", "ogg"])
  func soxKnowsTheTypeOfAStream(type: String) throws {
    let directory = TemporaryDirectory()
    let run = try run(
      "for n in 1 2 3 4 5; do rawaudio convert in.wav -t \(type) -q -o - | sox - $n.wav || exit 1; soxi -s $n.wav; done",
      in: directory)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.outputText == String(repeating: "11025\n", count: 5))
  }

  @Test func infoTellsWhatItIs() throws {
    let directory = TemporaryDirectory()
    let run = try run(
      "sox in.wav a.sox && rawaudio info a.sox | grep -E '^(container|encoding|duration|sample rate)'",
      in: directory)
    #expect(
      run.outputText == """
        container:    sox
        encoding:     s32, little-endian
        sample rate:  22050 Hz
        duration:     0:00:00.500 (11025 samples per channel)

        """, "\(run.standardError)")
  }

  @Test func aFileThatIsCutShortIsTold() throws {
    let directory = TemporaryDirectory()
    let run = try run(
      "sox in.wav a.sox && head -c 8048 a.sox >b.sox && rawaudio convert b.sox -o b.wav",
      in: directory)
    #expect(run.standardError.contains("is truncated"), "\(run.standardError)")
    let header = try directory.pipeline(
      "head -c 20 a.sox >c.sox && rawaudio convert c.sox -o c.wav")
    header.expectMessages("cannot read 'c.sox': its header ends too early")
  }

  @Test func itIsNotWritten() throws {
    let directory = TemporaryDirectory()
    let run = try run("rawaudio convert in.wav -o out.sox", in: directory)
    #expect(run.ending != .exit(0))
    #expect(!directory.names.contains("out.sox"))
  }
}
