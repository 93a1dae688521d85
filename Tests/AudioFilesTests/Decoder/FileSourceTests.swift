// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// libsndfile reads a file or ffmpeg decodes it, with equal samples.
@Suite struct FileSourceTests {
  private let directory = ScratchDirectory()

  /// Writes a WAV file of 20,000 samples and its sound in ALAC.
  private func makeFiles() throws -> (wave: String, foreign: String) {
    let data = Noise.integers(20_000, seed: 5).flatMap { sample in
      let word = UInt16(bitPattern: Int16(sample * 32_768))
      return [UInt8(word & 0xFF), UInt8(word >> 8)]
    }
    let wave = try directory.write(
      WaveBytes.file(UInt32(data.count), data: data), "in.wav")
    let foreign = directory.file("in.m4a")
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    program.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-i", wave, "-c:a", "alac", foreign]
    try program.run()
    program.waitUntilExit()
    try #require(program.terminationStatus == 0)
    return (wave, foreign)
  }

  private func samples(_ source: any AudioSource, start: Int64 = 0, count: Int64? = nil) throws
    -> [Double]
  {
    let session = Session()
    try session.setLocal(
      TrimmedSource(source, start: .samples(start), duration: count.map { .samples($0) }))
    return try session.run(collecting: .publish).samples
  }

  @Test func aForeignFileIsDecoded() throws {
    let (wave, foreign) = try makeFiles()
    let expected = try samples(SoundFileSource(path: wave))
    #expect(expected.count == 20_000)
    let source = FileSource(path: foreign)
    #expect(firstDifference(try samples(source), expected) == nil)
    #expect(source.decodedFile?.information?.codecName == "alac")
    #expect(source.decodedFile?.errorLine == nil)
    #expect(source.truncation == nil)
    let part = try samples(FileSource(path: foreign), start: 7_000, count: 5_000)
    #expect(firstDifference(part, Array(expected[7_000..<12_000])) == nil)
    #expect(try samples(FileSource(path: foreign), start: 30_000).isEmpty)
  }

  @Test func whoDecodesIsAChoice() throws {
    let (wave, foreign) = try makeFiles()
    let known = FileSource(path: wave)
    let expected = try samples(known)
    #expect(known.decodedFile == nil)
    let forced = FileSource(path: wave)
    forced.decoder = .ffmpeg
    #expect(firstDifference(try samples(forced), expected) == nil)
    #expect(forced.decodedFile?.information?.codecName == "pcm_s16le")
    let forbidden = FileSource(path: foreign)
    forbidden.decoder = .none
    let error = try #require(throws: AudioError.self) { try samples(forbidden) }
    #expect(error.kind == .unrecognised)
    #expect(error.reason == "it is MPEG-4 (m4a, mp4, mov), which libsndfile does not read")
  }

  @Test func whatIsMissingIsNotFound() throws {
    for decoder in FileDecoder.allCases {
      let source = FileSource(path: directory.file("none.m4a"))
      source.decoder = decoder
      let error = try #require(throws: AudioError.self) { try samples(source) }
      #expect(error.kind == .notFound)
      #expect(error.subject == directory.file("none.m4a"))
    }
  }

  @Test func informationNamesWhoReads() throws {
    let (wave, foreign) = try makeFiles()
    guard case .soundFile = try FileInformation(path: wave) else {
      Issue.record("libsndfile reads it")
      return
    }
    guard case .decodedFile(let information) = try FileInformation(path: foreign) else {
      Issue.record("ffmpeg decodes it")
      return
    }
    #expect(information.codecName == "alac")
    #expect(information.usualEncoding == .s16)
    #expect(information.encoding == .s16)
    #expect(information.format == (try StreamFormat(sampleRate: 8_000, channelCount: 1)))
    let stated = try #require(information.statedSamplesPerChannel)
    #expect(stated == 20_000)
    #expect(information.streamCount == 1)
  }

  @Test(arguments: [
    ("ftyp", 4, ForeignContainer.mpeg4), ("wvpk", 0, .wavPack), ("MAC ", 0, .monkeysAudio),
    ("Speex   ", 28, .speex), ("AVI ", 8, .avi),
  ])
  func beginnings(_ text: String, _ offset: Int, _ expected: ForeignContainer) {
    let bytes = [UInt8](repeating: 1, count: offset) + Array(text.utf8)
    #expect(ForeignContainer(bytes) == expected)
    #expect(ForeignContainer(bytes.dropLast()) == nil)
    #expect(ForeignContainer([]) == nil)
  }
}
