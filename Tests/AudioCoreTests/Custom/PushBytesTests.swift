// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Bytes in place of samples.
@Suite struct PushBytesTests {
  /// Every plain encoding in both byte orders: the samples equal the bytes.
  @Test(arguments: SampleLayout.Storage.allCases, [ByteOrder.little, .big])
  func everyPlainEncoding(storage: SampleLayout.Storage, order: ByteOrder) throws {
    let layout = SampleLayout(storage, order)
    let expected = Noise.integers(2_000, bits: layout.bytesPerSample == 1 ? 8 : 16)
    let bytes = encode(expected, as: layout).bytes
    let bench = try PushBench(rate: 8_000, channels: 2)
    #expect(try bench.sender.send(bytes: bytes, as: layout) == bytes.count)
    #expect(try bench.read().samples == decode(bytes, as: layout))
    #expect(bench.sender.statistics.takenSamplesPerChannel == 1_000)
  }

  /// 32-bit samples arrive exactly if the source's encoding says so.
  @Test func whatIsWiderIsNotRounded() throws {
    let layout = SampleLayout(SampleLayout.Storage.s32)
    let samples = Noise.integers(500, bits: 32)
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 8_000, channelCount: 1),
      options: .init(encoding: .s32))
    let session = try Session(local: microphone)
    let sink = try session.collect(.publish, precision: .double)
    let sender = microphone.sender
    session.onStart = { _ in
      OtherThread.run {
        _ = sender.waitForStart()
        _ = try? sender.sendWaiting(bytes: encode(samples, as: layout).bytes, as: layout)
        sender.finish()
      }
    }
    _ = try session.run()
    #expect(sink.samples == samples)
  }

  @Test(arguments: [1, 3, 5, 7])
  func partOfASampleFrameIsAnErrorThatSaysSo(extra: Int) throws {
    let bench = try PushBench(channels: 2)
    let bytes = [UInt8](repeating: 0, count: 24 + extra)
    let error = #expect(throws: AudioError.self) {
      try bench.sender.send(bytes: bytes, as: SampleLayout(.f32))
    }
    #expect(error?.kind == .invalidParameter)
    #expect(
      error?.reason
        == "\(24 + extra) bytes are not whole sample frames of 2 channels of 4 bytes")
    #expect(error?.advice == "send a multiple of 8")
    #expect(bench.sender.statistics.takenSamplesPerChannel == 0)
  }

  /// A full ring refuses and counts bytes like samples; times leave gaps.
  @Test func aFullRingTakesWholeFrames() throws {
    let bench = try PushBench(channels: 2, capacity: 10)
    let layout = SampleLayout(SampleLayout.Storage.s24, .big)
    let bytes = encode(Noise.integers(40), as: layout).bytes
    #expect(try bench.sender.send(bytes: bytes, as: layout, at: 5) == 60)
    #expect(bench.sender.statistics.refusedSamplesPerChannel == 10)
    #expect(bench.sender.statistics.filledSamplesPerChannel == 5)
    let read = try bench.read().samples
    #expect(
      read == Array(repeating: 0, count: 10)
        + decode(bytes, as: layout).prefix(20))
  }

  @Test func bytesOfAnotherRateAreConverted() throws {
    let layout = SampleLayout(SampleLayout.Storage.s16)
    let samples = Noise.integers(960)
    let typed = try PushBench(rate: 48_000)
    let raw = try PushBench(rate: 48_000)
    _ = try typed.sender.send(samples, rate: 16_000)
    _ = try raw.sender.send(bytes: encode(samples, as: layout).bytes, as: layout, rate: 16_000)
    typed.sender.finish()
    raw.sender.finish()
    let (first, second) = (try typed.read().samples, try raw.read().samples)
    #expect(first.count == 2_880 && first == second)
  }
}
