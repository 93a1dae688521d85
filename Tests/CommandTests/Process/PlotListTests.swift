// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio plot` of many files, and the looks that fit them.
@Suite struct PlotListTests {
  private let directory = TemporaryDirectory()

  private func text(_ name: String) throws -> String {
    String(decoding: try directory.bytes(name), as: UTF8.self)
  }

  private func makeSounds() throws {
    try directory.pipeline(
      """
      mkdir in && for n in 1 2 3 4 5; do rawaudio convert tone:$((300 * n)) -d 0.2 -r 8000 -o in/$n.wav; done
      """
    ).requireSuccess()
  }

  /// Each picture is the one of its file alone, for any number of jobs.
  @Test(arguments: ["png", "svg", "json", "dat"], [1, 4])
  func eachIsAsIfDrawnAlone(kind: String, jobs: Int) throws {
    try makeSounds()
    try directory.pipeline(
      "rawaudio plot in/*.wav --jobs \(jobs) -o 'out/{stem}.\(kind)' --results results.jsonl"
    ).requireSuccess()
    for number in 1...5 {
      try directory.pipeline("rawaudio plot in/\(number).wav -o alone.\(kind) --force")
        .requireSuccess()
      let isSame =
        try directory.bytes("out/\(number).\(kind)") == directory.bytes("alone.\(kind)")
      #expect(isSame, "\(number)")
    }
    let results = try text("results.jsonl").split(separator: "\n")
    #expect(results.count == 5)
    #expect(
      results.allSatisfy {
        $0.contains(#""status":"done""#) && $0.contains(#""samplesPerChannel":1600"#)
      })
  }

  /// A wrong file stops no other, existing ones are skipped, and a list may state parts.
  @Test func faultsAndRepetitions() throws {
    try makeSounds()
    try directory.write(Array("no sound".utf8), "in/3.wav")
    let first = try directory.pipeline("rawaudio plot in/*.wav -o '{stem}.png'")
    #expect(first.ending == .exit(1))
    #expect(first.standardError.contains("cannot read 'in/3.wav'"))
    #expect(
      first.standardError.hasSuffix("4 done, 1 failed\n"), "\(first.standardError)")
    let again = try directory.pipeline("rawaudio plot in/1.wav in/2.wav -o '{stem}.png'")
    #expect(again.ending == .exit(1))
    #expect(again.standardError.contains("cannot write to '1.png': it already exists"))
    try directory.pipeline("rawaudio plot in/1.wav in/2.wav --existing skip -o '{stem}.png'")
      .requireSuccess()
    try directory.pipeline(
      """
      echo '{"source":"in/1.wav","id":"part","start":0.05,"duration":0.1}' \
        | rawaudio plot --list - -o '{id}.json' && grep -o '"samples_per_pixel":[0-9]*' part.json
      """
    ).requireSuccess()
    try directory.pipeline("rawaudio plot in/1.wav --start 0.05 -d 0.1 -o alone.json")
      .requireSuccess()
    #expect(try text("part.json") == text("alone.json"))
  }

  @Test(
    arguments: [
      "a.wav b.wav":
        "Several sources go to files; name them with '--output <path>', for example -o 'out/{stem}.png'",
      "a.wav b.wav -o x.png":
        "Several sources cannot all go to 'x.png'; a pattern gives each its own, for example -o 'out/{stem}.png'",
      "a.wav tone:440 -o '{stem}.png'":
        "Only files can be drawn together; standard input, a device and a generated signal go alone",
      "a.wav b.wav --terminal":
        "Several sources go to files; name them with '--output <path>', for example -o 'out/{stem}.png'",
      "": "Missing expected argument '<source>'",
    ] as [String: String])
  func mistakes(_ line: String, _ message: String) throws {
    try directory.pipeline("rawaudio plot \(line)").expectUsageError(message, of: "plot")
  }

  /// The labels of a picture, without the paths of their letters.
  private func labels(_ options: String) throws -> String {
    let run = try directory.pipeline(
      "LC_ALL=C.UTF-8 rawaudio plot a.wav \(options) --terminal --width 90 --height 24 | cat")
    #expect(run.ending == .exit(0))
    return run.outputText
  }

  @Test func quietSoundsFillTheirPictures() throws {
    try directory.pipeline(
      "rawaudio convert tone:1000 -r 8000 -d 2 -f s24 --gain -61.5 -o a.wav"
    ).requireSuccess()
    let usual = try labels("")
    #expect(usual.contains(" 0 dBFS─") && !usual.contains("−64 dBFS"))
    let fitted = try labels("--levels auto")
    #expect(fitted.contains("−64 dBFS─") && fitted.contains("─ −60 dBFS"))
    let decibels = try labels("--levels auto --waveform-scale db")
    #expect(decibels.contains("−124 dBFS─"))
  }

  @Test func theClockIsThatOfTheFile() throws {
    try directory.pipeline("rawaudio convert tone:1000 -r 8000 -d 20 -o a.wav").requireSuccess()
    let none = try directory.pipeline("rawaudio plot a.wav --axis clock -o a.png")
    none.expectExit(
      1,
      "cannot find a time of day in 'a.wav': neither the file nor its name says when it began; "
        + "use --start with a time from its beginning")
    #expect(!FileManager.default.fileExists(atPath: directory.file("a.png").path))
    try directory.pipeline("mv a.wav 20260502_053010.wav && ln -s 20260502_053010.wav a.wav")
      .requireSuccess()
    let run = try directory.pipeline(
      "rawaudio plot 20260502_053010.wav --axis clock --terminal --width 90 --height 24 | cat")
    #expect(run.outputText.contains("05:30:10") && run.outputText.contains("05:30:30"))
    let part = try directory.pipeline(
      "rawaudio plot 20260502_053010.wav --start @05:30:15 --axis clock --terminal --width 90 --height 24 | cat"
    )
    #expect(part.outputText.contains("05:30:15") && !part.outputText.contains("05:30:10"))
  }
}
