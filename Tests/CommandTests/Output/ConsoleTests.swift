// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import rawaudio

/// The output of a console, in order.
private final class Screen {
  var output = ""
  var error = ""

  func console(
    _ verbosity: Verbosity = .normal, isTerminal: Bool = true, isColoured: Bool = false
  ) -> Console {
    Console(
      verbosity: verbosity, style: TerminalStyle(isColoured: isColoured),
      errorIsTerminal: isTerminal,
      writeOutput: { self.output += $0 }, writeError: { self.error += $0 })
  }
}

@Suite struct ConsoleTests {
  private let failure = AudioError(
    .notFound, cannot: "open", "x.wav", because: "no such file")

  @Test(arguments: [
    (Verbosity.quiet, ""), (.normal, "rawaudio: note\n"),
    (.verbose, "rawaudio: note\nrawaudio: detail\n"),
  ])
  func verbosityDecides(_ verbosity: Verbosity, _ expected: String) {
    let screen = Screen()
    let console = screen.console(verbosity)
    console.note("note")
    console.detail("detail")
    #expect(screen.error == expected)
    console.error(failure)
    #expect(screen.error == expected + "rawaudio: cannot open 'x.wav': no such file\n")
    #expect(screen.output == "")
  }

  @Test func colour() {
    let screen = Screen()
    screen.console(isColoured: true).error(failure)
    #expect(
      screen.error == "\u{1B}[1;31mrawaudio:\u{1B}[0m cannot open 'x.wav': no such file\n")
  }

  @Test func statusGivesWayToLines() throws {
    let screen = Screen()
    let console = screen.console()
    console.showStatus("10%")
    console.showStatus("10%")
    console.note("clipped")
    console.eraseStatus()
    #expect(screen.error == "\r10%\u{1B}[K\r\u{1B}[Krawaudio: clipped\n")
    try console.print("text\n")
    #expect(screen.output == "text\n")
  }

  @Test func statusIsForTerminalsOnly() {
    let screen = Screen()
    screen.console(isTerminal: false).showStatus("10%")
    screen.console(.quiet).showStatus("10%")
    #expect(screen.error == "")
  }

  @Test func statusOfSeveralLines() {
    let screen = Screen()
    var width = 40
    let console = Console(
      verbosity: .normal, style: TerminalStyle(isColoured: false), errorIsTerminal: true,
      terminalWidth: { width }, writeOutput: { _ in }, writeError: { screen.error += $0 })
    func shown(_ lines: String...) -> String {
      screen.error = ""
      console.showStatus(
        lines.map {
          var line = StyledText(isColoured: false)
          line.add($0)
          return line
        })
      return screen.error
    }
    let (up, clear) = ("\u{1B}[1A", "\u{1B}[K")
    #expect(shown("one", "two") == "\rone\(clear)\r\ntwo\(clear)")
    #expect(shown("one", "six") == "\r\(up)one\(clear)\r\nsix\(clear)")
    #expect(shown("one") == "\r\(up)one\(clear)\u{1B}[J")
    // A line too wide after a resize covers several lines.
    #expect(shown(String(repeating: "x", count: 30)).hasPrefix("\rxxx"))
    width = 20
    #expect(shown("y") == "\r\(up)y\(clear)\u{1B}[J")
    #expect(shown("y") == "")
    screen.error = ""
    console.note("note")
    #expect(screen.error == "\r\(clear)rawaudio: note\n")
  }

  @Test func statusStartsLateAndIsThrottled() {
    var time: Int64 = 5_000
    var pace = StatusPace(now: { time })
    func isDue(at milliseconds: Int64) -> Bool {
      time = 5_000 + milliseconds
      return pace.whenDue() != nil
    }
    #expect(
      [999, 1_000, 1_099, 1_100, 1_150, 1_300].map(isDue) == [
        false, true, false, true, false, true,
      ])
  }
}
