// SPDX-License-Identifier: Apache-2.0
import AudioStreams
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
    // An ignored SIGHUP, as under nohup, stays ignored.
    signal(SIGHUP, SIG_DFL)

    let control = SessionControl()
    let interruption = Interruption(of: control, requesting: .finish)
    interruption.install()
    #expect(interruption.signal == nil)
    #expect(interruption.exitCode == nil)
    raiseUnblocked(number)
    #expect(control.request == .finish)
    raiseUnblocked(SIGTERM)
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
    let control = SessionControl()
    let interruption = Interruption(of: control, requesting: .abandon)
    interruption.install()
    raiseUnblocked(SIGHUP)
    #expect(interruption.signal == nil)
    #expect(control.request == nil)
  }
}

/// Raises a signal whose handler has run on return. The threads that run tests block signals.
private func raiseUnblocked(_ number: Int32) {
  var none = sigset_t()
  var before = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
  raise(number)
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
}
