// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// More tags and marks than real files have: the limits keep some and name the rest; memory stays bounded.
@Suite struct ManyPiecesTests {
  private static let tooMany = "up to 65536 are read"

  /// One piece over the limit is kept if the pieces are copied as they are, and named if not.
  @Test(arguments: [
    (ManyPieces.comments, "flac", "", nil),
    (.comments, "mp3", "", "text (up to 65536 are read, and 2 MiB of them)"),
    (.comments, "flac", "--tag TITLE=x", "text (up to 65536 are read, and 2 MiB of them)"),
    (.marks, "wav", "", nil), (.marks, "caf", "", "mark (\(tooMany))"),
    (.frames, "wav", "--tag TITLE=x", nil),
    (.unknownChunks, "wav", "", "'zzz!' chunk and all after it (65536 others come before it)"),
  ])
  func whatIsTooMuchIsNamed(
    _ kind: ManyPieces, _ ending: String, _ options: String, _ lost: String?
  ) throws {
    let directory = TemporaryDirectory()
    let file = try kind.write(65_537, in: directory)
    let run = try directory.pipeline(
      "rawaudio convert \(file) --fail-on metadata \(options) -o out.\(ending)")
    let note = lost.map { "rawaudio: 'out.\(ending)' does not carry \($0)\n" } ?? ""
    #expect(run.standardError == note)
    #expect(run.ending == .exit(lost == nil ? 0 : 2))
    // All comments, byte for byte.
    guard kind == .comments, lost == nil else { return }
    let last = Array("K65536=65536".utf8)
    let copy = try directory.bytes("out.flac")
    #expect(copy.indices.contains { copy[$0] == last[0] && copy[$0...].starts(with: last) })
  }

  /// `--tags-from` names the texts that it drops.
  @Test func whatIsNotTakenFromAnotherFileIsNamed() throws {
    let directory = TemporaryDirectory()
    let file = try ManyPieces.comments.write(65_537, in: directory)
    let run = try directory.run(
      "convert", "tone:440", "-d", "0.1", "--tags-from", file, "--fail-on", "metadata", "-o",
      "out.flac")
    run.expectExit(2, "'out.flac' does not carry text (up to 65536 are read, and 2 MiB of them)")
  }

  private static func synchsafe(_ size: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static let mebibyte = 1 << 20

  /// Returns a WAV file of 100 MB: a tag with one frame, texts of 1 MB each, and unknown pieces.
  private static func largeFile(_ frame: String, _ head: String, _ filler: UInt8) -> [UInt8] {
    let content = Array(head.utf8) + [UInt8](repeating: filler, count: 15 * mebibyte)
    let body = Array(frame.utf8) + synchsafe(content.count) + [0, 0] + content
    let tag = Array("ID3\u{4}\0\0".utf8) + synchsafe(body.count) + body
    var texts = Array("INFO".utf8)
    for _ in 0..<8 {
      texts += Array("ICMT".utf8) + number(mebibyte) + [UInt8](repeating: 0x61, count: mebibyte)
    }
    var file = WaveBytes.file([UInt8](repeating: 0, count: 2_000))
    let unknown = ("zzz!", [UInt8](repeating: 7, count: 15 * mebibyte))
    for (name, content) in [("id3 ", tag), ("LIST", texts)] + Array(repeating: unknown, count: 5) {
      file += Array(name.utf8) + number(content.count) + content
      if content.count % 2 == 1 { file.append(0) }
    }
    file.replaceSubrange(4..<8, with: number(file.count - 8))
    return file
  }

  /// Reading a file of 100 MB takes less than 64 MiB, at any content.
  @Test(arguments: [
    ("APIC", "\u{3}image/png\0\u{3}\0", 0xFF), ("TIT2", "\0", 0x80), ("TIT2", "\u{3}", 0x61),
    ("TXXX", "\u{3}", 0x61), ("TCON", "\u{3}", 0x28),
  ])
  func memoryIsBounded(_ frame: String, _ head: String, _ filler: UInt8) throws {
    let directory = TemporaryDirectory()
    try directory.write(Self.largeFile(frame, head, filler), "in.wav")
    let measuring = """
      import resource, subprocess, sys
      code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
      print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    for command in ["info", "measure"] {
      let run = try RunningProcess(
        URL(fileURLWithPath: "/usr/bin/env"),
        ["python3", "-c", measuring, BuiltProducts.rawaudio.path, command, "in.wav"],
        in: directory.url
      ).wait()
      let numbers = run.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      try #require(numbers.count == 2, "\(run.standardError)")
      #expect(numbers[0] == 0, "\(run.standardError)")
      #expect(numbers[1] < 65_536, "\(command): \(numbers[1]) KiB")
    }
  }
}
