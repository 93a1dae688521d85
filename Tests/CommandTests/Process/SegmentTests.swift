// SPDX-License-Identifier: Apache-2.0
import Testing

/// Parts of a source that lie after its end, in full or in part.
@Suite struct SegmentTests {
  private let directory = TemporaryDirectory()
  private let sound: [Int16]

  init() throws {
    var noise = Noise(51)
    sound = noise.samples(8_000, peak: 9_000)
    try directory.write(WaveBytes.file(sound, sampleRate: 8_000), "a.wav")
  }

  /// The length of the second is known only at its end.
  @Test(arguments: ["convert a.wav", "cat a.wav | convert -", "concat a.wav a.wav", "mix a.wav"])
  func aPartBehindTheEnd(_ line: String) throws {
    let words = line.replacing("convert", with: "rawaudio convert")
      .replacing("concat", with: "rawaudio concat").replacing("mix", with: "rawaudio mix")
    let run = try directory.pipeline("\(words) --start 1.5 -o x.wav")
    #expect(run.ending == .exit(1))
    let end = line.hasPrefix("cat") ? "before" : "after 8000 samples per channel"
    run.expectMessages(
      "cannot take this part of the source: it begins at sample 12000, and the source ends \(end)")
    #expect(directory.names == ["a.wav"])
  }

  @Test func aPartThatIsShort() throws {
    let note =
      "rawaudio: 'a.wav' is short: it ends 4000 samples per channel before the part that was asked for\n"
    for (line, code) in [("", Int32(0)), (" --fail-on short", 2), (" --fail-on truncated", 0)] {
      let run = try directory.pipeline("rawaudio convert a.wav --start 0.5 -d 1 -t raw\(line)")
      #expect(run.standardError == note)
      #expect(run.standardOutput == WaveBytes.bytes(Array(sound[4_000...])))
      #expect(run.ending == .exit(code))
    }
    let piped = try directory.pipeline("cat a.wav | rawaudio convert - --end 1.25 -t raw")
    #expect(
      piped.standardError == "rawaudio: 'standard input' is short: it ends 2000 samples per channel"
        + " before the part that was asked for\n")
    #expect(piped.standardOutput == WaveBytes.bytes(sound))
  }

  @Test func whatIsThereIsNotShort() throws {
    for line in ["-d 1", "--start 0.25 -d 0.75", "--end 1", "--start 0.999"] {
      let run = try directory.pipeline("rawaudio convert a.wav \(line) -t raw | wc -c")
      #expect(run.standardError == "", "\(line)")
    }
  }

  /// Items of a list keep their id, even items with an error.
  @Test func segmentsOfAList() throws {
    let list = """
      {"source":"a.wav","id":"whole","offset":0.5,"duration":0.5}
      {"source":"a.wav","id":"short","offset":0.5,"duration":2}
      {"source":"a.wav","id":"behind","offset":3}
      {"source":"a.wav","id":"wrong","offset":"x"}
      {"source":"none.wav","id":7}
      """
    try directory.write(Array((list + "\n").utf8), "list")
    let run = try directory.run([
      "convert", "--list", "list", "-o", "{id}.raw", "--results", "results", "--jobs", "1",
    ])
    #expect(run.ending == .exit(1))
    let lines = String(decoding: try directory.bytes("results"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    func line(_ id: String) -> String { lines.first { $0.contains("\"id\":\"\(id)\"") } ?? "" }
    #expect(lines.count == 5)
    #expect(
      line("whole").contains("\"status\":\"done\"") && line("whole").contains("\"short\":false"))
    #expect(
      line("short").contains("\"status\":\"done\"") && line("short").contains("\"short\":true"))
    for id in ["behind", "wrong", "7"] {
      #expect(line(id).contains("\"status\":\"failed\""), "\(id)")
    }
    #expect(try directory.bytes("whole.raw") == WaveBytes.bytes(Array(sound[4_000...])))
    let measured = try directory.run(["measure", "--json-lines", "--list", "list"])
    #expect(measured.outputText.contains("\"id\":\"wrong\""))
  }

  @Test func namesOfTheStandardStreams() throws {
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
      let run = try directory.pipeline("cat a.wav | rawaudio convert /dev/stdin -t raw -o \(name)")
      #expect(run.ending == .exit(0))
      #expect(run.standardOutput == WaveBytes.bytes(sound))
    }
  }
}
