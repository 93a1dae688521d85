// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Whole sessions with programs at both ends, on threads of their own.
@Suite struct CustomSessionTests {
  @Test(arguments: [SampleEncoding.f32, .f64], [333, 100_000])
  func carriesEverySampleBitForBit(encoding: SampleEncoding, capacity: Int) throws {
    let samples = Noise.integers(24_000, bits: encoding == .f64 ? 48 : 24)
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 2)
    let program = SendingProgram(format) { sender in
      for start in stride(from: 0, to: samples.count, by: 882) {
        let piece = Array(samples[start..<min(start + 882, samples.count)])
        _ = try? sender.sendWaiting(piece, at: Int64(start / 2))
      }
      sender.finish()
    }
    let session = Session()
    let source = program.source(.init(encoding: encoding, capacity: capacity))
    let sink = PullSink(
      options: .init(precision: encoding == .f64 ? .double : .single, capacity: capacity))
    try session.setLocal(source)
    try session.setSink(sink, at: .publish)
    let observer = RecordingObserver<Double>(.record, FrameParameters(samplesPerCall: 1_024))
    try session.register(observer)
    let reader = sink.reader
    let box = Box<[Double]>([])
    let opened = Opened(session)
    let thread = OtherThread.run {
      opened.wait()
      box.value = (try? reader.readToEnd(as: Double.self, size: 500)) ?? []
    }
    let report = try session.run()
    thread.wait()
    #expect(report.outcome == .finished)
    #expect(box.value == samples)
    #expect(observer.samples() == samples)
    #expect(source.statistics.gaps == 0)
    #expect(source.statistics.takenSamplesPerChannel == Int64(samples.count / 2))
    #expect(reader.isEnded)
  }

  @Test func silenceOfAnUnderrunIsCountedAndTheEndSeen() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 2)
    let sink = PullSink(options: .init(name: "ears", capacity: 10))
    let reader = sink.reader
    var block = [Float](repeating: 9, count: 8)
    func read() throws -> PullRead {
      var span = block.mutableSpan
      return try reader.read(into: &span)
    }
    #expect(
      throws: AudioError(
        .lifeCycle, cannot: "read from", "ears", because: "it is not initialised yet")
    ) { try read() }
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    #expect(try read() == PullRead(samplesPerChannel: 0, silence: 4, state: .running))
    #expect(block == [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(reader.statistics.underruns == 0)
    let samples: [Float] = [1, 2, 3, 4, 5, 6]
    #expect(try sink.write(samples.span) == .accepted)
    #expect(sink.room == 7)
    #expect(try read() == PullRead(samplesPerChannel: 3, silence: 1, state: .running))
    #expect(block == [1, 2, 3, 4, 5, 6, 0, 0])
    #expect(sink.room == 10)
    #expect(try read() == PullRead(samplesPerChannel: 0, silence: 4, state: .running))
    #expect(reader.statistics.underruns == 2)
    #expect(reader.statistics.filledSamplesPerChannel == 5)
    #expect(try sink.write((samples + samples).span) == .accepted)
    try sink.stop(.finished)
    #expect(try read() == PullRead(samplesPerChannel: 4, silence: 0, state: .running))
    #expect(try read() == PullRead(samplesPerChannel: 2, silence: 2, state: .ended))
    #expect(reader.isEnded)
    #expect(reader.statistics.underruns == 2)
    block = [0, 0, 0]
    #expect(
      throws: AudioError(
        .invalidParameter, cannot: "read from", "ears",
        because: "3 samples are not whole sample frames of 2 channels",
        advice: "read a multiple of 2")
    ) { try read() }
  }

  @Test func aFailedSessionIsSeenByTheReader() throws {
    let session = Session()
    let source = try GivenSource([0.5, 0.5])
    source.failingRead = (2, .diskFull)
    let sink = PullSink()
    try session.setLocal(source)
    try session.setSink(sink, at: .publish)
    #expect(throws: AudioError.diskFull) { try session.run() }
    var block: [Float] = [9, 9, 9]
    var span = block.mutableSpan
    let result = try sink.reader.read(into: &span)
    #expect(result == PullRead(samplesPerChannel: 2, silence: 1, state: .abandoned))
  }
}
