// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct CustomLifeTests {
  /// The place of the failure in a session with a custom source and a custom sink.
  enum Failure: CaseIterable, CustomTestStringConvertible {
    case none
    case sourceInitialize
    case sourceStart
    case sinkInitialize
    case sinkStart
    case sinkWrite
    case otherSourceRead
    case asksToFinish
    case asksToAbandon

    var testDescription: String { "\(self)" }

    var source: [GivenSource.Call] {
      switch self {
      case .sourceInitialize, .sinkInitialize, .sinkStart: [.initialize, .dispose]
      case .sourceStart: [.initialize, .start, .dispose]
      default: [.initialize, .start, .stop, .dispose]
      }
    }

    var sink: [CollectingSink.Call] {
      switch self {
      case .none, .asksToFinish: [.initialize, .start, .finish, .dispose]
      case .sourceInitialize: []
      case .sinkInitialize: [.initialize, .dispose]
      case .sinkStart: [.initialize, .start, .dispose]
      // The source is live: the sink keeps the samples recorded before the failure, if any.
      case .sinkWrite: [.initialize, .start, .finish, .dispose]
      case .sourceStart, .otherSourceRead, .asksToAbandon:
        [.initialize, .start, .abandon, .dispose]
      }
    }

    var error: String? {
      switch self {
      case .none, .asksToFinish, .asksToAbandon: nil
      case .sourceInitialize: "cannot initialize 'push source': its initialize answered false"
      case .sinkInitialize: "cannot initialize 'custom sink': its initialize answered false"
      default: AudioError.diskFull.description
      }
    }
  }

  @Test(arguments: Failure.allCases)
  func callsInOrderAndDisposesOnce(failure: Failure) throws {
    let session = Session()
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let endless = failure == .asksToFinish || failure == .asksToAbandon
    let program = SendingProgram(format) { sender in
      _ = try? sender.sendWaiting([Float](repeating: 0.5, count: 100))
      if !endless { sender.finish() }
    }
    let called = CalledProgram<Float>()
    switch failure {
    case .sourceInitialize: program.initializes = false
    case .sourceStart: program.startFailure = .diskFull
    case .sinkInitialize: called.initializes = false
    case .sinkStart: called.failures[.start] = .diskFull
    case .sinkWrite: called.writeFails = true
    case .otherSourceRead:
      let other = try GivenSource([0.5], rate: 8_000)
      other.failingRead = (0, .diskFull)
      try session.addRemote(other)
      try session.setSink(NullSink(), at: .playback)
    case .asksToFinish, .asksToAbandon:
      session.onProgress = { [unowned session] progress in
        guard progress.samplesPerChannel == 100 else { return }
        session.control.requestStop(failure == .asksToFinish ? .finish : .abandon)
      }
    case .none: break
    }
    try session.setLocal(program.source())
    try session.setSink(called.sink, at: .publish)
    var told: String?
    do { _ = try session.run() } catch { told = error.description }
    #expect(told == failure.error)
    #expect(program.calls == failure.source)
    #expect(called.calls == failure.sink)
    if failure == .none || failure == .asksToFinish { #expect(called.samples.count == 100) }
    if let sender = program.sender {
      #expect(throws: AudioError.self) { try sender.send([Float(0)]) }
    }
  }

  @Test func sendingWorksFromWithinStart() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    var sender: PushSender?
    let source = PushSource(
      format: format,
      initialize: {
        sender = $0
        return $0.format == format
      },
      start: {
        _ = try sender?.send([0.5, 0.25] as [Float])
        sender?.finish()
      })
    let session = Session()
    let called = CalledProgram<Float>()
    try session.setLocal(source)
    try session.setSink(called.sink, at: .publish)
    _ = try session.run()
    #expect(called.samples == [0.5, 0.25])
  }

  @Test func aSourceWithoutAFormatTakesTheProposedOne() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0.5], rate: 32_000))
    let program = SendingProgram(nil)
    try session.addRemote(program.source())
    try session.setSink(CollectingSink(), at: .playback)
    _ = try session.run()
    #expect(program.sender?.format?.sampleRate == 32_000)
  }

  @Test func aSourceWithoutAnyFormatIsAnError() throws {
    let session = Session()
    let program = SendingProgram(nil)
    try session.setLocal(program.source())
    try session.setSink(CollectingSink(), at: .publish)
    do {
      _ = try session.run()
      Issue.record("it ran")
    } catch {
      #expect(
        error.description == "cannot initialize 'push source': it states no format and the session "
          + "proposes none; state a format")
    }
    #expect(program.calls.isEmpty)
  }

  @Test func aCalledProgramGetsItsOwnFormatAndType() throws {
    let session = Session()
    let wanted = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    try session.setLocal(try GivenSource([0.5, -0.25, 1]))
    let called = CalledProgram<Int16>(wanted)
    try session.setSink(called.sink, at: .publish)
    _ = try session.run()
    #expect(called.settled == wanted)
    #expect(called.samples == [16_384, 16_384, -8_192, -8_192, 32_767, 32_767])
  }

  @Test func aCalledProgramOfDoublesLosesNothing() throws {
    let samples = Noise.integers(40_001, bits: 32)
    let session = try Session(local: GivenSource(samples, encoding: .s32))
    let called = CalledProgram<Double>()
    try session.setSink(called.sink, at: .publish)
    _ = try session.run()
    #expect(called.samples == samples)
  }
}
