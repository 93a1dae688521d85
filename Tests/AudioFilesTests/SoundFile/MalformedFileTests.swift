// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

@Suite struct MalformedFileTests {
  let scratch = ScratchDirectory()

  private func failure(_ path: String, _ container: Container? = nil) -> String? {
    do {
      _ = try record(SoundFileSource(path: path, container: container))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func eachFaultHasItsOwnLine() throws {
    let none = scratch.file("none.wav")
    #expect(failure(none) == "cannot open '\(none)': no such file")
    #expect(failure(scratch.path) == "cannot open '\(scratch.path)': it is a directory")
    let empty = try scratch.write([], "empty.wav")
    #expect(failure(empty) == "cannot read '\(empty)': the file is empty")
    let text = try scratch.write(Array("Hello, world.\n".utf8), "text.wav")
    #expect(failure(text) == "cannot read '\(text)': it is text, not sound")
    let noise = try scratch.write((0..<999).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) }, "n")
    #expect(
      failure(noise) == "cannot read '\(noise)': it is not a sound file that libsndfile knows")
    #expect(
      failure(noise, .raw)
        == "cannot read '\(noise)': headerless data does not tell its format; "
        + "describe its rate, channels and encoding")
    let short = try scratch.write(Array(WaveBytes.file(20, data: []).prefix(30)), "short.wav")
    #expect(failure(short) == "cannot read '\(short)': the WAV header is truncated")
    let headless = try scratch.write(Array(WaveBytes.file(20, data: []).prefix(36)), "less.wav")
    #expect(
      failure(headless) == "cannot read '\(headless)': the WAV header ends before its 'data' chunk")
    let good = try scratch.write(WaveBytes.file(2, data: [1, 2]), "good.wav")
    #expect(failure(good, .wav) == nil)
    #expect(failure(good, .flac) == "cannot read '\(good)': it is wav, not flac")
  }

  /// A header of millions of pieces is refused early: reading it would take long, and no real file has one.
  @Test func aHeaderOfTooManyPiecesIsRefused() throws {
    let chunk = Array("junk".utf8) + [0, 0, 0, 0]
    let many = [UInt8](repeatElement(chunk, count: 300_000).joined())
    let wave = WaveBytes.file(2, data: [1, 2])
    let reason = "more than 65536 chunks come before its samples"
    for at in [12, 36] {
      let path = try scratch.write(Array(wave[..<at]) + many + Array(wave[at...]), "many.wav")
      #expect(failure(path) == "cannot read '\(path)': \(reason)")
    }
    // After the samples they do no harm.
    let after = try scratch.write(wave + many, "after.wav")
    #expect(try record(SoundFileSource(path: after)).samples.count == 1)
    _ = try SoundFileInformation(path: after)
    let form = Array("FORM".utf8) + [0, 0x7F, 0, 0] + Array("AIFF".utf8)
    let aiff = try scratch.write(form + many, "many.aiff")
    let told = try #require(failure(aiff))
    #expect(told.hasPrefix("cannot read '\(aiff)': "))
  }

  /// A file cut anywhere gives an error or fewer samples, never other samples and never a crash.
  @Test(arguments: Container.allCases.filter { !$0.writableEncodings.isEmpty && $0 != .raw })
  func aCutFileNeverGivesMore(_ container: Container) throws {
    let encoding = container.defaultEncoding(for: .s16)
    let file = WritableFormat(container: container, encoding: encoding)
    let format = try file.format()
    // libsndfile 1.2.0 gives nothing of an SDS file of one packet, which holds 40 samples.
    let samples = material(100, channels: format.channelCount, bits: 16)
    let path = scratch.file("whole")
    try store(samples, in: path, FileFormat(container, encoding), format)
    let whole = try contents(path)
    let all = try record(SoundFileSource(path: path)).samples
    // Containers with large headers are cut in larger steps.
    for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 700)) {
      let cut = try scratch.write(Array(whole.prefix(length)), "cut")
      do {
        let back = try record(SoundFileSource(path: cut))
        #expect(back.samples.count <= all.count)
        if SampleLayout(encoding) != nil, container.storesPlainSamples(encoding) {
          #expect(back.samples.elementsEqual(all.prefix(back.samples.count)))
        }
      } catch is AudioError {}
    }
  }

  /// The parser answers any bytes of a WAV header with samples or an error.
  @Test func damagedWaveHeadersDoNoHarm() throws {
    let wave = WaveBytes.file(
      0xFFFF_FFFF, data: [UInt8](repeating: 7, count: 64), junk: 10, id: "RF64", ds64: 64)
    var generator = SplitMix64(seed: 1)
    for round in 0..<1_500 {
      var bytes = wave
      for _ in 0...round % 4 {
        let place = Int(generator.next() % UInt64(bytes.count - 64))
        bytes[place] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: generator.next())][
            Int(generator.next() % 6)]
      }
      let path = try scratch.write(bytes, "damaged")
      do {
        let back = try record(SoundFileSource(path: path))
        #expect(back.samples.count <= bytes.count)
      } catch is AudioError {}
    }
  }

  /// A cut file is reported by the claim of its header, and its samples are read.
  @Test(arguments: [Container.wav, .wavex, .rf64, .aiff, .au, .w64, .flac])
  func aCutFileIsReportedAsTruncated(_ container: Container) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let samples = material(20_000, channels: 1, bits: 16)
    let path = scratch.file("whole")
    try store(samples, in: path, FileFormat(container, .s16), format)
    let whole = try contents(path)
    let cut = try scratch.write(Array(whole.prefix(whole.count / 2)), "cut")
    let back = try record(SoundFileSource(path: cut))
    #expect(back.samples.count > 4_000 && back.samples.count < 16_000)
    #expect(back.samples.elementsEqual(samples.prefix(back.samples.count)))
    #expect(
      back.truncation
        == Truncation(
          claimedSamplesPerChannel: 20_000, actualSamplesPerChannel: Int64(back.samples.count)))
  }

  /// A codec has whole blocks: the missing length is known to the block.
  @Test(arguments: [SampleEncoding.imaADPCM, .msADPCM, .gsm610])
  func aCutCodecIsReportedAsTruncated(_ encoding: SampleEncoding) throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let path = scratch.file("whole")
    // Whole blocks of GSM, and an even number of bytes: libsndfile takes a byte of padding for a block.
    try storeMaterial(20_480, in: path, FileFormat(.wav, encoding), format)
    let whole = try record(SoundFileSource(path: path))
    #expect(whole.truncation == nil)
    let bytes = try contents(path)
    let cut = try scratch.write(Array(bytes.prefix(bytes.count / 2)), "cut")
    let back = try record(SoundFileSource(path: cut))
    #expect(
      back.truncation
        == Truncation(
          claimedSamplesPerChannel: Int64(whole.samples.count),
          actualSamplesPerChannel: Int64(back.samples.count)))
    let end = Pipe.delivering(try contents(cut))
    defer { close(end) }
    let piped = try record(SoundFileSource(descriptor: end, name: "pipe"))
    #expect(piped.truncation == back.truncation)
  }

  @Test func textsAreRead() throws {
    // A handmade AIFF file with a NAME chunk.
    var bytes = Array("FORM".utf8) + [0, 0, 0, 60] + Array("AIFFNAME".utf8) + [0, 0, 0, 4]
    bytes += Array("tune".utf8) + Array("COMM".utf8) + [0, 0, 0, 18, 0, 1, 0, 0, 0, 1, 0, 16]
    bytes += [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    bytes += Array("SSND".utf8) + [0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0]
    let information = try SoundFileInformation(path: try scratch.write(bytes, "x.aiff"))
    #expect(information.container == .aiff)
    #expect(information.encoding == .s16)
    #expect(information.byteOrder == .big)
    #expect(information.format.sampleRate == 8_000)
    #expect(information.samplesPerChannel == 1)
    #expect(information.texts == [.title: "tune"])
  }

  @Test func informationTellsOfTruncation() throws {
    let path = try scratch.write(WaveBytes.file(2_000, data: [1, 2, 3, 4]))
    let information = try SoundFileInformation(path: path)
    #expect(information.samplesPerChannel == 2)
    #expect(information.duration == .microseconds(250))
    #expect(
      information.truncation
        == Truncation(claimedSamplesPerChannel: 1_000, actualSamplesPerChannel: 2))
  }
}
