// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

@Suite struct PipeTests {
  let scratch = ScratchDirectory()
  init() { signal(SIGPIPE, SIG_IGN) }

  /// A file from a pipe equals the file from a disk, streamed by libsndfile or spooled.
  @Test(arguments: WritableFormat.all.filter { $0.container != .raw })
  func everyFormatIsReadFromAPipe(_ file: WritableFormat) throws {
    let format = try file.format()
    let samples = material(
      1_500, channels: format.channelCount, bits: 16, rate: Double(file.rate))
    let path = scratch.file("out")
    let sink = SoundFileSink(path: path, format: try FileFormat(file.container, file.encoding))
    try store(samples, sink, format)
    let direct = try record(SoundFileSource(path: path))
    let end = Pipe.delivering(try contents(path), step: 777)
    defer { close(end) }
    let piped = try record(SoundFileSource(descriptor: end, name: "pipe"))
    #expect(piped.description.format == direct.description.format)
    #expect(piped.description.encoding == direct.description.encoding)
    #expect(piped.samples == direct.samples)
    #expect(piped.truncation == nil)
  }

  /// Every format that claims to be streamable comes back from a pipe.
  @Test(arguments: WritableFormat.all)
  func streamableFormatsAreWrittenToAPipe(_ file: WritableFormat) throws {
    let fileFormat = try FileFormat(file.container, file.encoding)
    let format = try file.format()
    let samples = material(
      1_500, channels: format.channelCount, bits: 8, rate: Double(file.rate))
    let write = {
      try Pipe.collecting { end in
        let sink = SoundFileSink(descriptor: end, name: "pipe", format: fileFormat)
        try store(samples, sink, format)
      }
    }
    guard fileFormat.canBeStreamed else {
      #expect(errorKind { try write() } == .unsupported)
      return
    }
    let path = try scratch.write(try write())
    let source = SoundFileSource(
      path: path, container: file.container == .raw ? .raw : nil,
      headerless: HeaderlessFormat(format, file.encoding))
    let back = try record(source)
    if file.exactBits != nil, file.encoding != .ulaw, file.encoding != .alaw {
      #expect(back.samples.prefix(samples.count).elementsEqual(samples))
    }
    #expect(back.samples.count >= samples.count * 3 / 4)
    #expect(back.truncation == nil)
  }

  /// A header waits for the first samples, until there are 256 bytes, or the end: sox knows a type by its first read.
  @Test(arguments: WritableFormat.all.filter { $0.container != .raw }, [9, 1_500])
  func theFirstReadShowsTheType(_ file: WritableFormat, length: Int) throws {
    let fileFormat = try FileFormat(file.container, file.encoding)
    guard fileFormat.canBeStreamed else { return }
    let format = try file.format()
    let samples = material(
      length, channels: format.channelCount, bits: 8, rate: Double(file.rate))
    func write(to end: Int32) throws {
      let sink = SoundFileSink(descriptor: end, name: "pipe", format: fileFormat)
      var metadata = Metadata()
      metadata.setTags([("TITLE", "Dawn")])
      sink.metadata = metadata
      _ = try sink.initialize(proposing: format, wakeup: Wakeup())
      for start in stride(from: 0, to: samples.count, by: 3 * format.channelCount) {
        let part = Array(samples[start..<min(start + 3 * format.channelCount, samples.count)])
        #expect(try sink.write(part.span) == .accepted)
      }
      try sink.stop(.finished)
      sink.dispose()
    }
    let writes = try Pipe.writes(write)
    let all = writes.flatMap { $0 }
    #expect(writes.first.map { $0.count >= min(256, all.count) } == true)
    #expect(writes.count == 1 || all.count > 256)
    guard length == 1_500 else { return }
    let source = SoundFileSource(path: try scratch.write(all))
    #expect(try record(source).samples.count >= samples.count * 3 / 4)
  }

  /// Samples without a header need not wait.
  @Test func headerlessSamplesGoOutAtOnce() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let writes = try Pipe.writes { end in
      let sink = SoundFileSink(
        descriptor: end, name: "pipe", format: try FileFormat(.raw, .s16))
      _ = try sink.initialize(proposing: format, wakeup: Wakeup())
      let samples = [0.5, 0.25]
      for _ in 0..<4 { #expect(try sink.write(samples.span) == .accepted) }
      try sink.stop(.finished)
    }
    #expect(writes.map(\.count) == [4, 4, 4, 4])
  }

  @Test func aReaderThatGoesAwayIsNoError() throws {
    for (container, encoding) in [
      (Container.wav, SampleEncoding.s16), (.raw, .f32), (.flac, .s16), (.au, .s16),
      (.ogg, .vorbis),
    ] {
      var ends: [Int32] = [-1, -1]
      unsafe pipe(&ends)
      let sink = SoundFileSink(
        descriptor: ends[1], name: "pipe", format: try FileFormat(container, encoding))
      defer { sink.dispose() }
      _ = try sink.initialize(
        proposing: StreamFormat(sampleRate: 48_000, channelCount: 1), wakeup: Wakeup())
      close(ends[0])
      let samples = material(48_000, channels: 1, bits: 16)
      var status = SinkStatus.accepted
      for _ in 0..<4 where status == .accepted { status = try sink.write(samples.span) }
      #expect(status == .readerGone, "\(container)")
      try sink.stop(.finished)
      close(ends[1])
    }
  }

  @Test func nothingOnAPipeIsAnError() throws {
    let end = Pipe.delivering([])
    defer { close(end) }
    let error = #expect(throws: AudioError.self) {
      try record(SoundFileSource(descriptor: end, name: "standard input"))
    }
    #expect(error?.description == "cannot read 'standard input': nothing came from it")
  }

  /// An ID3 tag with a picture is longer than the first read.
  @Test func aLongTagIsPassedOver() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let samples = material(5_000, channels: 1, bits: 16)
    let path = scratch.file("out")
    try store(samples, in: path, FileFormat(.flac, .s16), format)
    // 100,000 bytes, 7 bits of the number in a byte.
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 6, 13, 32] + [UInt8](repeating: 0, count: 100_000)
    let end = Pipe.delivering(tag + (try contents(path)))
    defer { close(end) }
    #expect(try record(SoundFileSource(descriptor: end, name: "pipe")).samples == samples)
  }

  /// A pipe of packets is full before it holds the first read; one that is fed slowly holds less, too.
  @Test(arguments: [
    (Container.wav, SampleEncoding.s16), (.au, .s16), (.aiff, .s16), (.flac, .s16), (.ogg, .vorbis),
    (.w64, .s16),
  ])
  func smallPacketsAreRead(_ container: Container, _ encoding: SampleEncoding) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let path = scratch.file("out")
    try storeMaterial(3_000, in: path, FileFormat(container, encoding), format)
    let whole = try record(SoundFileSource(path: path)).samples
    for step in [4, 29, 300] {
      let end = Pipe.delivering(try contents(path), step: step, inPackets: true)
      defer { close(end) }
      let back = try record(SoundFileSource(descriptor: end, name: "pipe"))
      #expect(firstDifference(back.samples, whole) == nil, "\(step) bytes a packet")
      #expect(back.truncation == nil)
    }
  }

  /// A stream that must be sought is kept in a file up to the limit.
  @Test func aStreamIsSpooledUpToALimit() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let path = scratch.file("out")
    try storeMaterial(50_000, in: path, FileFormat(.caf, .s16), format)
    let bytes = try contents(path)
    for (limit, isEnough) in [(bytes.count, true), (bytes.count - 1, false), (1_000, false)] {
      let end = Pipe.delivering(bytes)
      defer { close(end) }
      let source = SoundFileSource(descriptor: end, name: "pipe")
      source.spoolLimit = Int64(limit)
      if isEnough {
        #expect(try record(source).samples.count == 50_000)
      } else {
        let error = #expect(throws: AudioError.self) { try record(source) }
        #expect(
          error?.description
            == "cannot spool to a temporary file the data of 'pipe': it is more "
            + "than \(limit) bytes, the spool limit")
      }
    }
  }

  /// A stream that is no sound is refused at its first bytes: its end may never come.
  @Test func noSoundOnAnEndlessPipeIsAnError() throws {
    let zeros = unsafe open("/dev/zero", O_RDONLY)
    defer { close(zeros) }
    #expect(
      errorKind { try record(SoundFileSource(descriptor: zeros, name: "zeros")) } == .unrecognised)
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    defer { for end in ends { close(end) } }
    // The writing end stays open.
    let noise = [UInt8](repeating: 1, count: 1_000)
    #expect(unsafe write(ends[1], noise, noise.count) == noise.count)
    let error = #expect(throws: AudioError.self) {
      try record(SoundFileSource(descriptor: ends[0], name: "pipe"))
    }
    #expect(
      error?.description
        == "cannot read 'pipe': it is not a sound file that libsndfile knows")
  }

  @Test(arguments: [0, 1, 599, 600, 1_499, 1_500, 9_999])
  func skipping(count: Int64) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let samples = material(1_500, channels: 2, bits: 16)
    let expected = Array(samples.dropFirst(Int(count) * 2))
    for container in [Container.wav, .aiff, .flac, .raw, .au] {
      let path = scratch.file("skip.\(container.rawValue).\(count)")
      try store(samples, in: path, FileFormat(container, .s16), format)
      let type: Container? = container == .raw ? .raw : nil
      let headerless = HeaderlessFormat(format, .s16)
      let source = SoundFileSource(path: path, container: type, headerless: headerless)
      #expect(try record(source, skipping: count).samples == expected)
      let end = Pipe.delivering(try contents(path), step: 1_001)
      let piped = SoundFileSource(
        descriptor: end, name: "pipe", container: type, headerless: headerless)
      #expect(try record(piped, skipping: count).samples == expected)
      close(end)
    }
  }
}
