// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioCore

/// `rawaudio plot --terminal` fills the terminal, with colours only on terminals that have them.
@Suite struct PlotTerminalTests {
  private let directory = TemporaryDirectory()

  init() throws {
    // A second of a full-scale square wave, and a second of silence.
    let samples = (0..<16_000).map { Int16($0 < 8_000 ? ($0 % 20 < 10 ? 32_767 : -32_767) : 0) }
    try directory.write(WaveBytes.file(samples, sampleRate: 8_000), "a.wav")
  }

  /// Runs `rawaudio plot` on a terminal.
  private func see(
    _ arguments: String, columns: Int = 80, rows: Int = 24, pixels: String = "[0, 0]",
    environment: String = "LC_ALL=C.UTF-8", steps: String = "[]", input: String = "true"
  ) throws -> TerminalReport {
    let plan = """
      {"columns": \(columns), "rows": \(rows), "pixels": \(pixels), "output": true, "steps": \(steps)}
      """
    let run = try directory.pipeline(
      "\(input) | env -u NO_COLOR -u TERM \(environment) /usr/bin/python3 -B '\(TerminalReport.program)' '\(plan)'"
        + " '\(BuiltProducts.rawaudio.path)' plot \(arguments)")
    #expect(run.standardError == "")
    return try JSONDecoder().decode(TerminalReport.self, from: Data(run.standardOutput))
  }

  /// Returns the lines printed into a pipe.
  private func lines(
    _ arguments: String, environment: [String: String] = ["LC_ALL": "C.UTF-8"]
  ) throws -> [String] {
    let run = try directory.pipeline("rawaudio plot \(arguments) | cat", environment: environment)
    #expect(run.standardError == "" && run.ending == .exit(0))
    #expect(!run.outputText.contains("\u{1B}"))
    return run.outputText.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0)
    }.dropLast()
  }

  // MARK: Text

  @Test func aPipeGetsPlainText() throws {
    let expected = """
               a.wav  8 kHz, 1 channel              ⢕ peak  ⣿ RMS
        0 dBFS─⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
               ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
       −∞ dBFS─⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄⠄
               ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
        0 dBFS─⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿
               ╵           ╵            ╵           ╵           ╵
              0 s        0.5 s         1 s        1.5 s        2 s
      """
    let lines = try lines("a.wav --terminal --show waveform --width 61 --height 8")
    #expect(lines.joined(separator: "\n") == expected)
  }

  @Test func theSizeIsThatOfTheTerminal() throws {
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
      let seen = try see("a.wav --terminal -q", columns: columns, rows: rows)
      #expect(seen.exit == 0 && seen.attributes == "" && seen.isRestored)
      // A line is left for the prompt.
      #expect(seen.last.count <= rows && seen.last.count >= rows - 2, "\(seen.last.count)")
      #expect(seen.last.allSatisfy { $0.count <= columns })
      #expect(seen.last.contains { $0.count > columns - 8 })
      #expect(seen.text.contains("\u{1B}[38;2;"))
      #expect(
        seen.text.split(separator: "\r\n").allSatisfy { $0.hasSuffix("\u{1B}[0m") })
    }
    let small = try see("a.wav --terminal -q", columns: 20, rows: 5)
    #expect(small.exit == 1)
    #expect(
      small.text
        == "\(Self.red("rawaudio:")) cannot draw in a width of '20': the labels leave no room; make the picture wider\r\n"
    )
    let tall = try see("a.wav --terminal -q", columns: 80, rows: 3)
    #expect(tall.exit == 0)
    #expect(tall.last.count > 3)
  }

  @Test func theStatusIsGoneBeforeIt() throws {
    // The input goes on until a status shows.
    let seen = try see(
      "- --input-type raw --input-format s16 --input-rate 48000 --input-channels 1 --terminal --title t",
      steps: #"[{"after": 2, "touch": "seen"}]"#,
      input: "while [ ! -e seen ]; do head -c 4800 /dev/zero; sleep 0.05; done")
    #expect(seen.exit == 0 && seen.isRestored)
    #expect(seen.text.contains("drawing 0:"))
    #expect(seen.last.first?.contains(" t  48 kHz, 1 channel") == true, "\(seen.last)")
    #expect(!seen.last.contains { $0.contains("drawing") })
  }

  private static func red(_ text: String) -> String { "\u{1B}[1;31m\(text)\u{1B}[0m" }

  @Test func variablesSayTheSizeWhereNoTerminalDoes() throws {
    let usual = try lines("a.wav --terminal", environment: ["LC_ALL": "C.UTF-8"])
    #expect(usual.count == 23)
    #expect(usual.map(\.count).max() == 80)
    let told = try lines(
      "a.wav --terminal",
      environment: ["LC_ALL": "C.UTF-8", "COLUMNS": "100", "LINES": "30"])
    #expect(told.count == 29)
    #expect(told.map(\.count).max() == 100)
    let asked = try lines(
      "a.wav --terminal --width 70 --height 20",
      environment: ["LC_ALL": "C.UTF-8", "COLUMNS": "100", "LINES": "30"])
    #expect(asked.count == 20)
    #expect(asked.map(\.count).max() == 70)
  }

  @Test(arguments: ["NO_COLOR=1", "TERM=dumb"])
  func withoutColoursItIsPlainText(variable: String) throws {
    // On a busy machine even this takes long enough to show a status.
    let seen = try see("a.wav --terminal -q", environment: "LC_ALL=C.UTF-8 \(variable)")
    #expect(seen.exit == 0)
    #expect(!seen.text.contains("\u{1B}"))
    #expect(seen.last.contains { $0.contains("⣿") })
    let shades = seen.last.joined().filter { "░▒▓█".contains($0) }
    #expect(Set(shades).count >= 3)
  }

  @Test func anotherLocaleGetsASCII() throws {
    let seen = try see("a.wav --terminal -q", environment: "LC_ALL=C")
    #expect(seen.exit == 0)
    #expect(seen.text.utf8.allSatisfy { $0 == 10 || $0 == 13 || (32...126).contains($0) })
    #expect(seen.last.contains { $0.hasPrefix("-inf dBFS-@@@@") })
  }

  @Test func aNameDoesNothingToTheTerminal() throws {
    let name = "\u{1B}[2J\u{202E}x.wav"
    try directory.write(WaveBytes.file(Array(repeating: 0, count: 800)), name)
    let lines = try lines("$'\\e[2J\\u202ex.wav' --terminal")
    #expect(lines[0].contains("\u{FFFD}[2J\u{FFFD}x.wav  48 kHz, 1 channel"))
  }

  // MARK: Sixels

  @Test func sixelsHaveThePixelsOfTheTerminal() throws {
    let seen = try see("a.wav --terminal=sixel -q", pixels: "[800, 480]")
    #expect(seen.exit == 0)
    // 10 × 20 pixels a character, 23 rows of them.
    #expect(seen.text.hasPrefix("\u{1B}P0;0;0q\"1;1;800;460#0;2;"))
    #expect(seen.text.hasSuffix("\u{1B}\\\r\n"))
    let unknown = try see("a.wav --terminal=sixel -q --width 60 --height 20")
    #expect(unknown.text.hasPrefix("\u{1B}P0;0;0q\"1;1;480;320#0;2;"))
    // Requested by name, they go into a pipe as well.
    let piped = try directory.pipeline("rawaudio plot a.wav --terminal=sixel | cat")
    #expect(piped.outputText.hasPrefix("\u{1B}P0;0;0q\"1;1;640;368#0;2;"))
  }

  // MARK: Failures

  @Test func aReaderThatGoesAwayIsNoFailure() throws {
    let run = try directory.pipeline(
      "set +o pipefail; rawaudio plot a.wav --terminal --width 300 --height 250 | head -c 1 >/dev/null;"
        + " echo ${PIPESTATUS[0]}")
    #expect(run.outputText == "0\n")
    #expect(run.standardError == "")
    let full = try directory.pipeline("rawaudio plot a.wav --terminal >/dev/full")
    full.expectExit(1, "cannot write to 'standard output': no space left on device")
    let missing = try directory.run("plot", "b.wav", "--terminal")
    #expect(missing.ending == .exit(1) && missing.standardOutput.isEmpty)
  }

  @Test func mistakesAreToldBeforeAnythingIsRead() throws {
    func message(_ arguments: String...) throws -> String {
      let run = try directory.run(["plot", "a.wav"] + arguments)
      #expect(run.ending == .exit(64) && run.standardOutput.isEmpty, "\(arguments)")
      return String(run.standardError.prefix { $0 != "\n" })
    }
    #expect(
      try message("--terminal", "-o", "x.png")
        == "Error: '--terminal' draws on standard output; for a file leave it out, or use the shell's '>'"
    )
    for (flag, label) in [
      ("--dat", "--dat"), ("--json", "--json"), ("--type=svg", "--type <type>"),
    ] {
      #expect(
        try message(flag, "--terminal")
          == "Error: '--terminal' and '\(label)' both say what to write; one is enough")
    }
    #expect(
      try message("--terminal", "--bits", "8")
        == "Error: '--bits <bits>' is for peaks; the output is a picture")
    #expect(
      try message("--terminal", "--width", "1001")
        == "Error: The value '1001' is invalid for '--width <pixels>': with --terminal, the number of columns is a whole"
        + " number from 1 to 1000")
    #expect(try message("--terminal", "--height", "0").contains("'0' is invalid"))
    #expect(
      try message("--terminal=ascii")
        == "Error: The value 'ascii' is invalid for '--terminal[=<style>]': it must be auto, blocks, braille or sixel"
    )
    #expect(
      try message("-o", "x.png", "--width", "99")
        == "Error: The value '99' is invalid for '--width <pixels>': a side of a picture is a whole number from 100 to"
        + " 16384")
    #expect(directory.names == ["a.wav"])
    // `--terminal` and `-o -` agree: both mean standard output.
    #expect(
      try directory.run("plot", "a.wav", "--terminal", "-o", "-").ending
        == .exit(0))
  }
}
