// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Several sources in one file: chapters that end where the sound ends, and the texts that all share.
@Suite struct AudioBookTests {
  private func chapters() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      mkdir in
      for number in 1 2 3; do
        rawaudio convert noise:white,seed=$number -d $number.5 -r 44100 -c 1 -f s16 --gain -20 -o $number.wav &&
          rawaudio convert $number.wav --tag "TITLE=Part $number" --tag ARTIST=Me --tag ALBUM=Book --tag DATE=2020 \
            --tag GENRE=Speech --tag TRACKNUMBER=$number -o in/c$number.flac || exit 1
      done
      rawaudio convert 3.wav -o "in/no title.flac"
      """)
    return directory
  }

  private func chapterLines(_ name: String, in directory: TemporaryDirectory) throws -> String {
    try directory.pipeline(
      "ffprobe -v error -show_entries chapter=start_time,end_time:chapter_tags=title -of csv=p=0 \(name)"
    ).outputText
  }

  @Test(arguments: ["m4b", "m4a", "mka"])
  func theLastChapterEndsWithTheSound(_ kind: String) throws {
    let directory = try chapters()
    let run = try directory.pipeline(
      "rawaudio concat in/c1.flac in/c2.flac 'in/no title.flac' --marks -o book.\(kind)")
    #expect(run.ending == .exit(0))
    #expect(
      try chapterLines("book.\(kind)", in: directory) == """
        0.000000,1.500000,Part 1
        1.500000,4.000000,Part 2
        4.000000,7.500000,no title

        """)
    let length = try directory.pipeline(
      "ffprobe -v error -show_entries format=duration -of csv=p=0 book.\(kind)")
    #expect(length.outputText == "7.500000\n")
  }

  @Test func aSingleMarkIsOneChapter() throws {
    let directory = try chapters()
    try directory.mustRun(
      "rawaudio concat 1.wav --marks -o one.wav && rawaudio convert one.wav -o one.m4a")
    #expect(try chapterLines("one.m4a", in: directory) == "0.000000,1.500000,1\n")
  }

  private static let texts = "format_tags=title,artist,album,date,genre,track"

  @Test func sharedTextsStay() throws {
    let directory = try chapters()
    let run = try directory.run("concat", "in/c1.flac", "in/c2.flac", "--marks", "-o", "book.m4b")
    #expect(
      run.standardError
        == "rawaudio: 'book.m4b' does not carry tag TRACKNUMBER (the sources differ)\n")
    let probe = try directory.pipeline(
      "ffprobe -v error -show_entries \(Self.texts) -of default=nk=0:nw=1 book.m4b | sort")
    #expect(
      probe.outputText
        == "TAG:album=Book\nTAG:artist=Me\nTAG:date=2020\nTAG:genre=Speech\nTAG:title=Book\n")
    let strict = try directory.run(
      "concat", "in/c1.flac", "in/c2.flac", "--fail-on", "metadata", "-o", "strict.m4b")
    #expect(strict.ending == .exit(2))
  }

  @Test(arguments: ["mix", "concat"])
  func everyContainerWithTextsHasThem(_ command: String) throws {
    let directory = try chapters()
    for name in ["a.wav", "a.flac", "a.mp3", "a.ogg", "a.aiff", "a.caf", "a.mka"] {
      let run = try directory.run(command, "in/c1.flac", "in/c2.flac", "--gain", "-6", "-o", name)
      #expect(
        run.standardError
          == "rawaudio: '\(name)' does not carry tags TITLE, TRACKNUMBER (the sources differ)\n")
      let info = try directory.pipeline(
        "rawaudio info --json \(name) | jq -r '.[0].metadata | to_entries[] | \"\\(.key|ascii_downcase)=\\(.value)\"' | sort"
      )
      for text in ["title=Book", "artist=Me", "album=Book"] {
        #expect(info.outputText.contains(text), "\(name): \(info.outputText)")
      }
      #expect(!info.outputText.contains("track"))
    }
  }
}
