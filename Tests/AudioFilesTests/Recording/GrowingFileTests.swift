// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// A recording's file is readable while it grows, and after its program was killed.
@Suite struct GrowingFileTests {
  let scratch = ScratchDirectory()

  private static let length = 20_000

  /// Returns the samples that may wait in a codec for the rest of a block, and in libsndfile.
  private static func delay(_ container: Container, _ encoding: SampleEncoding) -> Int {
    switch (container, encoding) {
    case (.flac, _): 4_096
    default: encoding.bytesPerSample == nil ? 2_048 : 0
    }
  }

  private static let containers = Container.allCases.filter {
    // Ogg pages hold more than this test writes, and raw files have no header.
    !$0.writableEncodings.isEmpty && ![.raw, .ogg, .opus].contains($0)
  }

  @Test(arguments: containers)
  func whatWasWrittenCanBeRead(container: Container) throws {
    for encoding in container.writableEncodings {
      // ALAC is assembled when the file is complete.
      if [.alac16, .alac20, .alac24].contains(encoding) { continue }
      let channels = min(2, container.largestChannelCount(for: encoding))
      let samples = material(Self.length, channels: channels, bits: 8)
      let path = scratch.file("take.\(container.rawValue)")
      let sink = SoundFileSink(
        path: path, format: try FileFormat(container, encoding), overwrite: true,
        replacement: .inPlace)
      defer { sink.dispose() }
      try sink.begin(try StreamFormat(sampleRate: 48_000, channelCount: channels))
      var written = 0
      for count in [5_001, Self.length - 5_001] {
        try feed(Array(samples[(written * channels)..<((written + count) * channels)]), sink)
        written += count
        try sink.updateHeader()
        let found = try record(SoundFileSource(path: path, container: container))
        // These hold back samples that the header counts already, or end within a frame and report it.
        let isHeldBack = [.dwvw16, .dwvw24, .mpegLayer3].contains(encoding)
        #expect(found.truncation == nil || isHeldBack, "\(container) \(encoding)")
        let least = written - Self.delay(container, encoding)
        #expect(found.samples.count / channels >= least, "\(container) \(encoding) of \(written)")
        // A codec of blocks pads the last one.
        let most = written + (encoding.bytesPerSample == nil ? 1_024 : 0)
        #expect(found.samples.count / channels <= most, "\(container) \(encoding)")
        if encoding.bytesPerSample != nil, ![.ulaw, .alaw].contains(encoding) {
          let isSame = found.samples.prefix(least * channels)
            .elementsEqual(samples.prefix(least * channels))
          #expect(isSame, "\(container) \(encoding)")
        }
      }
      try sink.stop(.finished)
      guard encoding.bytesPerSample != nil, ![.ulaw, .alaw].contains(encoding) else { continue }
      // The updates on the way leave no trace in the complete file.
      let whole = try record(SoundFileSource(path: path, container: container)).samples
      let isWhole = whole.prefix(samples.count).elementsEqual(samples)
      #expect(isWhole, "\(container) \(encoding)")
    }
  }

  /// Without a call of `updateHeader`: the sink keeps its own schedule.
  @Test func aRecordingKeepsItselfCurrent() throws {
    let path = scratch.file("take.wav")
    let sink = SoundFileSink(
      path: path, format: try FileFormat(.wav, .s16), replacement: .inPlace,
      synchronization: .regularly)
    sink.schedule.interval = .zero
    _ = try sink.initialize(
      proposing: try StreamFormat(sampleRate: 48_000, channelCount: 1), wakeup: Wakeup())
    let samples = material(480, channels: 1, bits: 16)
    for block in 1...10 {
      try feed(samples, sink)
      #expect(try record(SoundFileSource(path: path)).samples.count == block * 480)
    }
    sink.dispose()
  }

  /// A stalled device brings no samples, but its earlier samples are safe.
  @Test func aBackgroundWriterBringsAnIdleFileUpToDate() throws {
    let path = scratch.file("take.wav")
    let file = SoundFileSink(path: path, format: try FileFormat(.wav, .s16), replacement: .inPlace)
    // The first samples are written at once: these are not.
    file.schedule.interval = .milliseconds(1)
    let sink = BackgroundSink(file, on: try BackgroundWriter(), overflow: .wait)
    try sink.begin(try StreamFormat(sampleRate: 48_000, channelCount: 1))
    for _ in 0..<2 { _ = try sink.write(material(240, channels: 1, bits: 16).span) }
    var found = 0
    // Half a minute, on the busiest machine.
    for _ in 0..<3_000 where found < 480 {
      usleep(10_000)
      found = try record(SoundFileSource(path: path)).samples.count
    }
    #expect(found == 480)
    try sink.complete()
  }

  /// The file passes the largest RIFF size between two updates, and the header never claims more than the file has.
  @Test func aGrowingWaveBecomesRF64() throws {
    let path = scratch.file("take.wav")
    let sink = SoundFileSink(path: path, format: try FileFormat(.wav, .s16), replacement: .inPlace)
    sink.options.largestRIFFSize = 5_000
    sink.schedule.interval = .zero
    _ = try sink.initialize(
      proposing: try StreamFormat(sampleRate: 48_000, channelCount: 1), wakeup: Wakeup())
    let samples = material(500, channels: 1, bits: 16)
    for block in 1...10 {
      try feed(samples, sink)
      let bytes = try contents(path)
      let kind = String(decoding: bytes[..<4], as: UTF8.self)
      #expect(kind == (bytes.count - 8 > 5_000 ? "RF64" : "RIFF"))
      let information = try SoundFileInformation(path: path)
      #expect(information.samplesPerChannel == Int64(block * 500))
      #expect(information.truncation == nil)
    }
    sink.dispose()
  }
}
