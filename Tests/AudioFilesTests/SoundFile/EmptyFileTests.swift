// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// A file without samples is readable, or an error.
@Suite struct EmptyFileTests {
  let scratch = ScratchDirectory()
  let format: StreamFormat

  init() throws { format = try StreamFormat(sampleRate: 8_000, channelCount: 2) }

  private func sink(
    _ name: String, _ file: FileFormat, _ replacement: FileReplacement = .onCompletion
  ) -> SoundFileSink {
    SoundFileSink(
      path: scratch.file(name), format: file, channelCount: file.mostChannels, overwrite: true,
      replacement: replacement)
  }

  static let formats: [FileFormat] = Container.allCases.flatMap { container in
    SampleEncoding.allCases.compactMap { try? FileFormat(container, $0) }
  }

  @Test(arguments: formats) func canBeRead(_ file: FileFormat) throws {
    guard file.container != .raw else { return }
    do throws(AudioError) {
      let sink = sink("x", file)
      defer { sink.dispose() }
      try sink.begin(format)
      try sink.stop(.finished)
    } catch {
      #expect([.mp3, .opus].contains(file.container), "\(file): \(error)")
      #expect(error.kind == .unsupported)
      #expect(scratch.names.isEmpty)
      return
    }
    #expect(try record(SoundFileSource(path: scratch.file("x"))).samples.isEmpty)
  }

  @Test(arguments: [Container.mp3, .opus])
  func aRecordingOfNothingLeavesWhatWasThere(_ container: Container) throws {
    let file = try FileFormat(container, container == .mp3 ? .mpegLayer3 : .opus)
    for old in [nil, [1, 2, 3] as [UInt8]?] {
      if let old { _ = try scratch.write(old, "x") }
      let sink = sink("x", file, .inPlace)
      try sink.begin(format)
      #expect(errorKind { try sink.stop(.finished) } == .unsupported)
      sink.dispose()
      #expect(scratch.names == (old == nil ? [] : ["x"]))
      if let old { #expect(try contents(scratch.file("x")) == old) }
    }
  }

  /// Other programs read it, and its header states the format.
  @Test func anEmptyFlacFileIsComplete() throws {
    let sink = sink("x.flac", try FileFormat(.flac, .s24))
    try sink.begin(format)
    try sink.complete()
    let information = try SoundFileInformation(path: scratch.file("x.flac"))
    #expect(information.format == format)
    #expect(information.encoding == .s24)
    #expect(try contents(scratch.file("x.flac")).count == 42)
  }
}

extension FileFormat {
  /// The largest channel count of the format, at most two.
  fileprivate var mostChannels: Int { min(2, container.largestChannelCount(for: encoding)) }
}
