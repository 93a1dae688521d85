// SPDX-License-Identifier: Apache-2.0
import TestSupport
import CSndfile
import Testing

@testable import AudioFiles

@Suite struct FormatTests {
  /// The encodings written without libsndfile are the ones that libsndfile would accept.
  @Test func plainWaveEncodingsAreThoseOfLibsndfile() {
    for encoding in SampleEncoding.allCases {
      guard SampleLayout(encoding) != nil else {
        #expect(!Container.plainWaveEncodings.contains(encoding))
        continue
      }
      for channels in [1, 2, 6, 1_024] {
        var information = SF_INFO()
        information.samplerate = 48_000
        information.channels = Int32(channels)
        information.format = Int32(SF_FORMAT_WAV) | encoding.subtype
        let isTaken = unsafe sf_format_check(&information) != 0
        #expect(Container.plainWaveEncodings.contains(encoding) == isTaken, "\(encoding)")
      }
    }
  }

  @Test(arguments: [
    ("take.wav", Container.wav), ("a.b/TAKE.WAV", .wav), ("x.aif", .aiff), ("x.aifc", .aiff),
    ("x.snd", .au), ("x.flac", .flac), ("x.oga", .ogg), ("x.opus", .opus), ("x.mp3", .mp3),
    ("x.iff", .svx), ("x.pcm", .raw), ("x.rf64", .rf64), ("x.sph", .nist), ("x.mat", .mat5),
  ])
  func extensions(name: String, container: Container) {
    #expect(Container(fileName: name) == container)
  }

  @Test(arguments: ["wav", "x.unknown", "x.", "a.wav/x", ""])
  func namesWithoutAKnownExtension(name: String) {
    #expect(Container(fileName: name) == nil)
  }

  @Test(arguments: [
    ("take.flac", SampleEncoding?.some(.s24), Container.flac, SampleEncoding.s24),
    ("take.wav", nil, .wav, .s16), ("a.b/TAKE.FLAC", nil, .flac, .s16),
    ("take", nil, .wav, .s16), ("a.b/.hidden", .f32, .wav, .f32),
    ("x.ogg", nil, .ogg, .vorbis), ("x.mp3", nil, .mp3, .mpegLayer3), ("-", nil, .wav, .s16),
  ])
  func formatsOfOutputs(
    path: String, asked: SampleEncoding?, container: Container, encoding: SampleEncoding
  ) throws {
    let format = try FileFormat(path: path, encoding: asked)
    #expect(try format == FileFormat(container, encoding))
    guard asked == nil else { return }
    #expect(try SoundFileSink(path: path).fileFormat == format)
  }

  @Test(
    arguments: [
      "new.xyz":
        "cannot write to 'new.xyz': its extension names no type of sound file; end it with one of"
        + " .wav, .wavex, .rf64, .w64, .aiff, .au, .caf, .flac, .ogg, .opus, .mp3, .raw",
      "a/talk.m4a":
        "cannot write to 'a/talk.m4a': libsndfile does not write the type its extension names; use"
        + " EncodedFileSink, which ffmpeg encodes for, or another extension",
    ] as [String: String])
  func outputsOfUnknownExtensions(path: String, told: String) {
    let error = #expect(throws: AudioError.self) { try FileFormat(path: path) }
    #expect(error?.kind == .unsupported)
    #expect(error?.description == told)
    let refused = #expect(throws: AudioError.self) { try SoundFileSink(path: path) }
    #expect(refused?.description == told)
  }

  @Test(arguments: [
    (FileFormat.wav16, Container.wav, SampleEncoding.s16), (.wav24, .wav, .s24),
    (.wav32f, .wav, .f32), (.flac16, .flac, .s16), (.flac24, .flac, .s24),
  ])
  func usualFormats(format: FileFormat, container: Container, encoding: SampleEncoding) throws {
    #expect(try format == FileFormat(container, encoding))
  }

  @Test(arguments: [
    (Container.wav, SampleEncoding.s16, SampleEncoding.s16), (.wav, .s8, .u8), (.wav, .f64, .f64),
    (.wav, .vorbis, .s16), (.wav, .imaADPCM, .s16), (.wav, .ulaw, .ulaw), (.wav, .alac24, .s24),
    (.flac, .f32, .s24), (.flac, .f64, .s24), (.flac, .s32, .s24), (.flac, .ulaw, .s16),
    (.flac, .u8, .s8), (.aiff, .f64, .f64), (.mp3, .s16, .mpegLayer3), (.ogg, .f64, .vorbis),
    (.opus, .s24, .opus), (.mat4, .s24, .s32),
  ])
  func defaultEncodings(container: Container, wanted: SampleEncoding, chosen: SampleEncoding) {
    #expect(container.defaultEncoding(for: wanted) == chosen)
  }

  @Test func impossibleRequestsNameWhatIsPossible() throws {
    func reason(_ container: Container, _ encoding: SampleEncoding) -> String? {
      do throws(AudioError) {
        _ = try FileFormat(container, encoding)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(
      reason(.flac, .f64) == "cannot store f64 in 'flac': it holds only s8, s16, s24")
    #expect(reason(.mp3, .s16) == "cannot store s16 in 'mp3': it holds only mp3")
    #expect(
      reason(.sd2, .s16)
        == "cannot store s16 in 'sd2': files of that kind are only read; write wav, flac or aiff")
    // FLAC packs its samples in its own way.
    #expect(try FileFormat(.flac, .s16, byteOrder: .big) == FileFormat(.flac, .s16))
    #expect(throws: AudioError.self) { try FileFormat(.w64, .s16, byteOrder: .big) }
    #expect(throws: Never.self) { try FileFormat(.aiff, .s16, byteOrder: .little) }
  }

  /// Every encoding and container of libsndfile maps to one here and back.
  @Test func namesMapBothWays() {
    for encoding in SampleEncoding.allCases {
      #expect(SampleEncoding(format: encoding.subtype) == encoding)
    }
    for container in Container.allCases {
      let encoding = container.writableEncodings.first ?? .s16
      #expect(Container(format: container.majorFormat | encoding.subtype) == container)
      #expect(Container(name: container.rawValue.uppercased()) == container)
    }
  }

  /// A name, typed or as an extension, leads to one container.
  @Test func noTwoContainersShareAName() {
    let names = Container.allCases.flatMap { [$0.rawValue] + $0.row.otherNames }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() })
  }

  /// The byte order can be chosen if the container has both, and is read back.
  @Test(
    arguments: [Container.aiff, .au, .caf, .raw, .wav, .ircam, .nist], [ByteOrder.little, .big])
  func byteOrderIsKept(container: Container, order: ByteOrder) throws {
    let scratch = ScratchDirectory()
    let stream = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let path = scratch.file("x")
    let samples = material(100, channels: 1, bits: 24)
    let encoding: SampleEncoding = container == .ircam ? .s32 : .s24
    let format = try FileFormat(container, encoding, byteOrder: order)
    try store(samples, in: path, format, stream)
    let source = SoundFileSource(
      path: path, container: container == .raw ? .raw : nil,
      headerless: HeaderlessFormat(stream, encoding, order))
    #expect(try record(source).samples == samples)
    if container != .raw { #expect(try SoundFileInformation(path: path).byteOrder == order) }
  }

  /// A rate in a header is read back, and a rate that it cannot state is refused.
  @Test(arguments: [
    (Container.htk, 1), (.wav, 1), (.nist, 2),
  ])
  func statedRates(container: Container, channels: Int) throws {
    let scratch = ScratchDirectory()
    let format = try FileFormat(container, .s16)
    for rate in [1_000, 3_905, 3_906, 8_000, 11_025, 44_100, 65_535, 65_536, 500_000, 768_000] {
      let stream = try StreamFormat(sampleRate: rate, channelCount: channels)
      let path = scratch.file("\(rate)")
      let samples = [Double](repeating: 0, count: 240 * channels)
      if container != .htk || rate < 768_000 {
        try store(samples, in: path, format, stream)
        let stated = format.statedSampleRate(of: stream)
        #expect(try SoundFileInformation(path: path).format.sampleRate == stated)
      } else {
        #expect(throws: AudioError.self) {
          try store(samples, in: path, format, stream)
        }
      }
    }
  }
}
