import AudioCore
import Testing

@testable import rawaudio

/// What a console wrote, in order.
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

  @Test func progressStartsLateAndIsThrottled() {
    let screen = Screen()
    var time: Int64 = 5_000
    let progress = Progress("mixing", sampleRate: 1_000, on: screen.console(), now: { time })
    func written(at milliseconds: Int64, _ done: Int64, _ total: Int64?) -> String {
      screen.error = ""
      time = 5_000 + milliseconds
      progress.update(done: done, total: total)
      return screen.error
    }
    #expect(written(at: 999, 10_000, 100_000) == "")
    #expect(written(at: 1_000, 61_000, 3_721_000) == "\rmixing 0:01:01 of 1:02:01 (1%)\u{1B}[K")
    #expect(written(at: 1_099, 70_000, 3_721_000) == "")
    #expect(
      written(at: 1_100, 3_721_000, 3_721_000) == "\rmixing 1:02:01 of 1:02:01 (100%)\u{1B}[K")
    #expect(written(at: 1_300, 5_500, nil) == "\rmixing 0:00:05\u{1B}[K")
    screen.error = ""
    progress.finish()
    #expect(screen.error == "\r\u{1B}[K")
    progress.finish()
    #expect(screen.error == "\r\u{1B}[K")
  }

  @Test func workBelowASecondShowsNothing() {
    let screen = Screen()
    var time: Int64 = 0
    let progress = Progress("mixing", sampleRate: 1_000, on: screen.console(), now: { time })
    time = 900
    progress.update(done: 1, total: 2)
    progress.finish()
    #expect(screen.error == "")
  }
}
