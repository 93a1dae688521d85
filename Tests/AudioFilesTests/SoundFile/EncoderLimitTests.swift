// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// The limits and counting errors of libsndfile's encoders.
@Suite struct EncoderLimitTests {
  private let scratch = ScratchDirectory()
  private let stream: StreamFormat

  init() throws { stream = try StreamFormat(sampleRate: 48_000, channelCount: 1) }

  /// LAME aborts the process at such numbers. They are counted, and the samples around them are kept.
  @Test(arguments: [
    (Container.mp3, SampleEncoding.mpegLayer3), (.ogg, .vorbis), (.opus, .opus),
  ])
  func noNumbersAndHugeOnes(container: Container, encoding: SampleEncoding) throws {
    var samples = material(48_000, channels: 1, bits: 16)
    let wrong: [Double] = [.nan, .infinity, -.infinity, 1e10, -1e20, 1e30, 3e38]
    samples.replaceSubrange(100..<100 + wrong.count, with: wrong)
    let path = scratch.file("out")
    let sink = SoundFileSink(path: path, format: try FileFormat(container, encoding))
    try store(samples, sink, stream)
    #expect(sink.clippedSamples == wrong.count - 1)
    #expect(sink.notANumberSamples == 1)
    let back = try record(SoundFileSource(path: path)).samples
    #expect(back.allSatisfy { $0.isFinite })
    let tail = back[24_000..<40_000]
    #expect(tail.max() ?? 0 > 0.4 && tail.min() ?? 0 < -0.4)
  }

  /// A sample far beyond full scale counts once, even if it overflows the codec's carrier, too.
  @Test(arguments: [SampleEncoding.s8, .s16, .s24])
  func everyClippedSampleCountsOnce(encoding: SampleEncoding) throws {
    let samples: [Double] = [
      0, 1.5, -1.5, 100, -100, 1_000, -1_000, 1e6, 1e300, -1e300, .infinity, .nan, 0.5, -1,
    ]
    let path = scratch.file("out")
    let sink = SoundFileSink(path: path, format: try FileFormat(.flac, encoding))
    try store(samples, sink, stream)
    #expect(sink.clippedSamples == 10)
    #expect(sink.notANumberSamples == 1)
    let top = 1 - 1 / Double(1 << (encoding.significantBits - 1))
    #expect(
      try record(SoundFileSource(path: path)).samples
        == [0, top, -1, top, -1, top, -1, top, top, -1, top, 0, 0.5, -1])
  }

  /// The padding byte of a chunk is no sample.
  @Test(arguments: [SampleEncoding.s8, .u8, .ulaw, .alaw, .s16, .s24], [0, 1, 2, 3, 2_501])
  func aiffHoldsNoSampleMore(encoding: SampleEncoding, count: Int) throws {
    let path = scratch.file("out")
    let samples = [Double](repeating: -0.5, count: count)
    try store(samples, in: path, FileFormat(.aiff, encoding), stream)
    #expect(try SoundFileInformation(path: path).samplesPerChannel == Int64(count))
    #expect(try record(SoundFileSource(path: path)).samples.count == count)
    #expect(try contents(path).count % 2 == 0)
  }
}
