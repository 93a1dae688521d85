// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

@Suite struct WaveWritingTests {
  let scratch = ScratchDirectory()
  init() { signal(SIGPIPE, SIG_IGN) }

  private func written(
    _ format: FileFormat, _ samples: [Double], channels: Int, limit: Int64? = nil
  ) throws -> [UInt8] {
    let path = scratch.file("out-\(UUID().uuidString)")
    let sink = SoundFileSink(path: path, format: format)
    if let limit { sink.options.largestRIFFSize = limit }
    try store(samples, sink, StreamFormat(sampleRate: 44_100, channelCount: channels))
    return try contents(path)
  }

  @Test func plainPCMHeader() throws {
    let wave = WaveBytes(try written(FileFormat(.wav, .s16), [0.5, -0.5, 0.25, -1], channels: 2))
    #expect(wave.id == "RIFF")
    #expect(Int(wave.riffSize) == wave.bytes.count - 8)
    #expect(wave.chunks.map(\.id) == ["JUNK", "fmt ", "data"])
    #expect(
      wave.body("fmt ")
        == [1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0])
    #expect(wave.body("data") == [0, 0x40, 0, 0xC0, 0, 0x20, 0, 0x80])
  }

  /// The encodings and channel counts with WAVE_FORMAT_EXTENSIBLE, with `fact`, and their tag.
  @Test(arguments: [
    (SampleEncoding.u8, 1, 1, false, false), (.s16, 2, 1, false, false), (.s16, 3, 1, true, false),
    (.s24, 1, 1, true, false), (.s32, 2, 1, true, false), (.f32, 2, 3, false, true),
    (.f64, 6, 3, true, true), (.ulaw, 2, 7, false, true), (.alaw, 1, 6, false, true),
  ])
  func formatTag(
    _ encoding: SampleEncoding, channels: Int, tag: UInt8, isExtensible: Bool, hasFact: Bool
  ) throws {
    let samples = [Double](repeating: 0.25, count: 3 * channels)
    let wave = WaveBytes(try written(FileFormat(.wav, encoding), samples, channels: channels))
    let fmt = try #require(wave.body("fmt "))
    #expect(fmt[0] == (isExtensible ? 0xFE : tag))
    #expect(fmt.count == (isExtensible ? 40 : tag == 1 ? 16 : 18))
    if isExtensible { #expect(fmt[24] == tag) }
    #expect(wave.body("fact").map { WaveBytes.word($0, 0) } == (hasFact ? 3 : nil))
    #expect(Int(wave.riffSize) == wave.bytes.count - 8)
    let size = (encoding.bytesPerSample ?? 0) * samples.count
    #expect(wave.body("data")?.count == size)
    // An odd data chunk is padded.
    #expect(wave.bytes.count % 2 == 0)
  }

  @Test func sizesOnAPipeAreUnknown() throws {
    let samples = material(40_000, channels: 2, bits: 16)
    let bytes = try Pipe.collecting { end in
      let sink = SoundFileSink(
        descriptor: end, name: "pipe", format: try FileFormat(.wav, .s16))
      try store(samples, sink, StreamFormat(sampleRate: 48_000, channelCount: 2))
    }
    let wave = WaveBytes(bytes)
    #expect(wave.riffSize == .max)
    #expect(wave.chunks.map(\.id) == ["fmt ", "data"])
    #expect(wave.chunks.last?.size == .max)
    #expect(bytes.count == 44 + samples.count * 2)
    let end = Pipe.delivering(bytes)
    defer { close(end) }
    #expect(try record(SoundFileSource(descriptor: end, name: "pipe")).samples == samples)
  }

  /// The limit is 4 GiB; here it is 200 bytes.
  @Test func aLargeFileBecomesRF64() throws {
    let samples = material(100, channels: 1, bits: 16)
    for (count, id) in [(60, "RIFF"), (61, "RF64"), (100, "RF64")] {
      let bytes = try written(
        FileFormat(.wav, .s16), Array(samples.prefix(count)), channels: 1, limit: 192)
      let wave = WaveBytes(bytes)
      #expect(wave.id == id)
      if id == "RF64" {
        #expect(wave.riffSize == .max)
        let ds64 = try #require(wave.body("ds64"))
        #expect(ds64.count == 28)
        #expect(Int(WaveBytes.word(ds64, 0)) == bytes.count - 8)
        #expect(Int(WaveBytes.word(ds64, 8)) == 2 * count)
        #expect(Int(WaveBytes.word(ds64, 16)) == count)
        #expect(wave.chunks.last?.size == .max)
      } else {
        #expect(wave.chunks.first?.id == "JUNK")
        #expect(Int(wave.riffSize) == bytes.count - 8)
      }
      let path = try scratch.write(bytes)
      #expect(try record(SoundFileSource(path: path)).samples == Array(samples.prefix(count)))
    }
  }

  @Test func rf64IsSoFromTheStart() throws {
    let wave = WaveBytes(try written(FileFormat(.rf64, .s16), [0.5], channels: 1))
    #expect(wave.id == "RF64")
    #expect(wave.chunks.map(\.id) == ["ds64", "fmt ", "data"])
  }

  @Test func bigEndianIsRIFX() throws {
    let format = try FileFormat(.wav, .s16, byteOrder: .big)
    let bytes = try written(format, [0.5, -0.25], channels: 1)
    #expect(bytes.starts(with: Array("RIFX".utf8)))
    #expect(bytes.suffix(4) == [0x40, 0, 0xE0, 0])
    let path = try scratch.write(bytes)
    #expect(try record(SoundFileSource(path: path)).samples == [0.5, -0.25])
  }

  /// The file of a growing recording is complete after every update.
  @Test func updateHeaderKeepsTheFileTrue() throws {
    let path = scratch.file("live.wav")
    let sink = SoundFileSink(
      path: path, format: try FileFormat(.wav, .s16), replacement: .inPlace)
    defer { sink.dispose() }
    _ = try sink.initialize(
      proposing: StreamFormat(sampleRate: 48_000, channelCount: 1), wakeup: Wakeup())
    let samples = material(300, channels: 1, bits: 16)
    for count in [100, 200, 300] {
      _ = try sink.write(samples.span.extracting(count - 100..<count))
      try sink.updateHeader()
      #expect(sink.samplesPerChannel == count)
      #expect(try record(SoundFileSource(path: path)).samples == Array(samples.prefix(count)))
    }
    try sink.stop(.abandoned)
    #expect(try record(SoundFileSource(path: path)).samples == samples)
  }

  /// Standard output may be a file with earlier content.
  @Test func aHeaderIsPatchedWhereWeBegan() throws {
    let path = try scratch.write(Array("before".utf8))
    let descriptor = unsafe open(path, O_RDWR)
    lseek(descriptor, 0, SEEK_END)
    for container in [Container.wav, .aiff] {
      let start = Int(lseek(descriptor, 0, SEEK_CUR))
      let sink = SoundFileSink(
        descriptor: descriptor, name: "output", format: try FileFormat(container, .s16))
      try store([0.5, 0.25], sink, StreamFormat(sampleRate: 48_000, channelCount: 1))
      let own = Array(try contents(path)[start...])
      let back = try record(SoundFileSource(path: try scratch.write(own, "own")))
      #expect(back.samples == [0.5, 0.25])
    }
    close(descriptor)
    #expect(try contents(path).starts(with: Array("before".utf8)))
  }

  @Test func clippedSamplesAreCounted() throws {
    for (container, encoding) in [
      (Container.wav, SampleEncoding.s16), (.flac, .s16), (.flac, .s24), (.aiff, .s32),
    ] {
      let path = scratch.file("clip.\(container.rawValue).\(encoding.rawValue)")
      let sink = SoundFileSink(path: path, format: try FileFormat(container, encoding))
      defer { sink.dispose() }
      _ = try sink.initialize(
        proposing: StreamFormat(sampleRate: 48_000, channelCount: 1), wakeup: Wakeup())
      let samples: [Double] = [1.5, -1.5, -1, 0.5, 1, .nan]
      _ = try sink.write(samples.span)
      try sink.stop(.finished)
      #expect(sink.clippedSamples == 3)
      #expect(sink.notANumberSamples == 1)
      let back = try record(SoundFileSource(path: path)).samples
      #expect(back[0] > 0.9999 && back[1] == -1 && back[2] == -1 && back[3] == 0.5)
      #expect(back[5] == 0)
    }
  }
}
