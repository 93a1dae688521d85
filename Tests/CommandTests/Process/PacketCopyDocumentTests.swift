// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Every line of `docs/copying.md` works as printed, and copies packets.
@Suite struct PacketCopyDocumentTests {
  @Test func everyLine() throws {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:pink,seed=3 -d 90 -r 8000 -c 1 --bitrate 16 -q -o show.mp3
      rawaudio convert noise:pink,seed=4 -d 9 -r 8000 -c 1 -q -o book.m4b
      ffmpeg -nostdin -v error -f lavfi -i testsrc=s=64x48:d=1 -i show.mp3 -map 0 -map 1 -map 1 -t 1 -c:v mpeg4 -c:a aac \
        film.mkv
      ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x48 -frames:v 1 cover.jpg
      printf 'start,end,label\\n0,4,One\\n4,,Two\\n' > chapters.csv
      """)
    let text = try String(
      contentsOf: Package.folder.appending(path: "docs/copying.md"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    rawaudio convert ") }
    #expect(lines.count >= 5)
    for line in lines {
      let run = try directory.pipeline(String(line.dropFirst(4)) + " -v")
      #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
      #expect(run.standardError.contains("gets the packets"), "\(line): \(run.standardError)")
    }
    for name in ["new.mp3", "chaptered.m4b", "commentary.m4a", "part.mp3", "tagged/show.mp3"] {
      #expect(FileManager.default.fileExists(atPath: directory.file(name).path), "\(name)")
    }
  }
}
