import AudioCore
import Glibc
import Testing

@testable import rawaudio

@Suite(.serialized) struct InterruptionTests {
  @Test(arguments: [
    (SIGINT, ExitCode.interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp),
  ])
  func theFirstSignalIsKeptAndWakes(_ number: Int32, _ code: ExitCode) {
    let signals = [SIGINT, SIGTERM, SIGHUP]
    var before = Array(repeating: sigaction(), count: signals.count)
    for index in signals.indices { unsafe sigaction(signals[index], nil, &before[index]) }
    defer {
      for index in signals.indices { unsafe sigaction(signals[index], &before[index], nil) }
    }
    // A SIGHUP that is ignored, as under nohup, stays so.
    signal(SIGHUP, SIG_DFL)

    let wakeup = Wakeup()
    let interruption = Interruption(waking: wakeup)
    interruption.install()
    #expect(interruption.signal == nil)
    #expect(interruption.exitCode == nil)
    // To the process, not to this thread: the threads that tests run on block signals.
    kill(getpid(), number)
    wakeup.wait(milliseconds: 20_000)
    #expect(interruption.signal == number)
    kill(getpid(), SIGTERM)
    wakeup.wait(milliseconds: 20_000)
    #expect(interruption.signal == number)
    #expect(interruption.exitCode == code)
  }

  @Test func nohupIsRespected() {
    var before = sigaction()
    unsafe sigaction(SIGHUP, nil, &before)
    var others = [sigaction(), sigaction()]
    unsafe sigaction(SIGINT, nil, &others[0])
    unsafe sigaction(SIGTERM, nil, &others[1])
    defer {
      unsafe sigaction(SIGHUP, &before, nil)
      unsafe sigaction(SIGINT, &others[0], nil)
      unsafe sigaction(SIGTERM, &others[1], nil)
    }
    signal(SIGHUP, SIG_IGN)
    let interruption = Interruption(waking: Wakeup())
    interruption.install()
    kill(getpid(), SIGHUP)
    #expect(interruption.signal == nil)
  }
}
