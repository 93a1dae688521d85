// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct PushSendingTests {
  private func message(_ send: () throws -> Void) -> String {
    do {
      try send()
      return "nothing was thrown"
    } catch {
      return "\(error)"
    }
  }

  @Test func tellsWhenItIsTooEarlyAndWhenTooLate() throws {
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 8_000, channelCount: 1), options: .init(name: "mic"))
    let sender = microphone.sender
    func send() -> String { message { _ = try sender.send([Float(0)]) } }
    #expect(!sender.waitForStart(atMost: .milliseconds(0)))
    let advice = "wait until it has started: waitForStart(), in a task started()"
    #expect(send() == "cannot send to 'mic': it is not initialised yet; \(advice)")
    _ = try microphone.initialize(proposing: nil, wakeup: Wakeup())
    #expect(send() == "cannot send to 'mic': it is not started yet; \(advice)")
    #expect(sender.room == 0)
    try microphone.start()
    #expect(send() == "nothing was thrown")
    #expect(sender.room == 7_999)
    #expect(sender.waitForStart())
    sender.finish()
    #expect(send() == "cannot send to 'mic': its stream was finished")
    microphone.stop()
    #expect(send() == "cannot send to 'mic': it is stopped")
    #expect(!sender.waitForStart())
    microphone.dispose()
    #expect(send() == "cannot send to 'mic': it is stopped")
    #expect(
      message { _ = try microphone.initialize(proposing: nil, wakeup: Wakeup()) }
        == "cannot initialize 'mic': it was used before; make a new one for each session")
  }

  @Test func refusesWhatIsNotWhole() throws {
    let bench = try PushBench(channels: 2)
    #expect(
      message { _ = try bench.sender.send([Float](repeating: 0, count: 5)) }
        == "cannot send to 'mic': 5 samples are not whole sample frames of 2 channels; "
        + "send a multiple of 2")
    #expect(
      message { _ = try bench.sender.send([Float](repeating: 0, count: 4), rate: 999) }
        == "cannot use sample rate '999': it must be 1000 to 768000 Hz")
    #expect(
      message { _ = try bench.sender.send([Float](repeating: 0, count: 4), at: -1) }
        == "cannot send to 'mic': sample time -1 is not within 0...8796093022208")
    #expect(
      message { _ = try bench.sender.send([Float](repeating: 0, count: 4), at: .max) }
        .hasSuffix("is not within 0...8796093022208"))
    #expect(try bench.read().samples.isEmpty)
    #expect(try bench.sender.send([Float]()) == 0)
  }

  @Test func takesWhatFitsAndSaysHowMuch() throws {
    let bench = try PushBench(channels: 2, capacity: 3)
    let samples: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map { $0 / 16 }
    #expect(try bench.sender.send(samples) == 6)
    #expect(try bench.sender.send(samples) == 0)
    #expect(bench.sender.statistics.refusedSamplesPerChannel == 2 + 5)
    #expect(try bench.read().samples == Array(samples.prefix(6)))
    #expect(try bench.sender.send(Array(samples.dropFirst(6))) == 4)
    bench.sender.finish()
    let rest = try bench.read()
    #expect(rest.samples == Array(samples.dropFirst(6)))
    #expect(rest.status == .ended)
    #expect(bench.sender.statistics.takenSamplesPerChannel == 5)
  }

  @Test func convertsEverySampleType() throws {
    let bench = try PushBench()
    #expect(try bench.sender.send([Int16.min, -1, 0, 16_384, Int16.max]) == 5)
    #expect(try bench.sender.send([0.25, -1.5] as [Double]) == 2)
    #expect(try bench.sender.send([0.1] as [Float]) == 1)
    let expected: [Float] = [-1, -1 / 32_768, 0, 0.5, 32_767 / 32_768, 0.25, -1.5, 0.1]
    #expect(try bench.read().samples == expected)
  }

  @Test func countsRunningDryOnceEachTime() throws {
    let bench = try PushBench()
    #expect(try bench.read().status == .pending)
    #expect(try bench.read().status == .pending)
    #expect(bench.sender.statistics.underruns == 0)
    for round in 1...3 {
      _ = try bench.sender.send([Float(0.5)])
      #expect(try bench.read().samples == [0.5])
      #expect(try bench.read().status == .pending)
      #expect(bench.sender.statistics.underruns == round)
    }
    bench.sender.finish()
    #expect(try bench.read().status == .ended)
    #expect(try bench.read().status == .ended)
  }

  @Test func waitingEndsWhenTheTimeRunsOut() throws {
    let bench = try PushBench(capacity: 2)
    #expect(
      try bench.sender.sendWaiting([0.1, 0.2, 0.3] as [Float], atMost: .milliseconds(1)) == 2)
    #expect(bench.sender.statistics.refusedSamplesPerChannel == 0)
  }

  @Test func waitingEndsWithAnErrorWhenTheSourceStops() throws {
    let bench = try PushBench(capacity: 2)
    let sender = bench.sender
    let thread = OtherThread.run {
      #expect(throws: AudioError.self) { try sender.sendWaiting([Float](repeating: 0, count: 9)) }
    }
    while sender.room > 0 {}
    bench.microphone.stop()
    thread.wait()
  }
}
