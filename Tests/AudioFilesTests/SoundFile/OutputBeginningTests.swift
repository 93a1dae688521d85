// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles
@testable import AudioStreams

/// Opening an output changes nothing: an old file stays until the new one has content.
@Suite struct OutputBeginningTests {
  let scratch = ScratchDirectory()
  let format: StreamFormat
  let old: [UInt8] = Array("what was here before".utf8)

  init() throws { format = try StreamFormat(sampleRate: 48_000, channelCount: 1) }

  private func recording(_ path: String, _ container: Container = .wav) throws -> SoundFileSink {
    SoundFileSink(
      path: path, format: try FileFormat(container, .s16), overwrite: true, replacement: .inPlace)
  }

  private func lines(_ path: String, overwrite: Bool = true) throws -> BackgroundLines {
    try BackgroundLines(
      path: path, overwrite: overwrite, on: try BackgroundWriter(), overflow: .wait)
  }

  @Test(arguments: [Container.wav, .aiff, .flac, .raw])
  func anOldRecordingStaysUntilTheFirstSample(_ container: Container) throws {
    let path = try scratch.write(old, "x")
    for isStopped in [true, false] {
      let sink = try recording(path, container)
      try sink.begin(format)
      try sink.updateHeader()
      try sink.receive(.idle)
      #expect(try contents(path) == old)
      if isStopped { try sink.stop(.abandoned) }
      sink.dispose()
      #expect(try contents(path) == old)
    }
    let sink = try recording(path, container)
    try sink.begin(format)
    try feed([0.5, 0.25], sink)
    try sink.stop(.abandoned)
    sink.dispose()
    let headerless = container == .raw ? HeaderlessFormat(format, SampleLayout(.s16)) : nil
    let source = SoundFileSource(path: path, container: container, headerless: headerless)
    #expect(try record(source).samples == [0.5, 0.25])
  }

  /// A recording without a sample is none.
  @Test func anOldRecordingStaysWhereNoSampleCame() throws {
    let path = try scratch.write(old, "x.wav")
    let sink = try recording(path)
    try sink.begin(format)
    try sink.complete()
    #expect(try contents(path) == old)
    #expect(sink.leftNoFile)
  }

  @Test func anOldRecordingStaysWhereItsFormatIsRefused() throws {
    let parts = try PartNames(scratch.file("part-%03d.wav"))
    let first = try scratch.write(old, "part-000.wav")
    let file = try FileFormat(.wav, .s16)
    let splitting = SplittingSink(parts, limits: [.fileSize(30)]) { path in
      SoundFileSink(path: path, format: file, overwrite: true, replacement: .inPlace)
    }
    #expect(throws: AudioError.self) {
      _ = try splitting.initialize(proposing: format, wakeup: Wakeup())
    }
    splitting.dispose()
    #expect(try contents(first) == old)
  }

  @Test func anOldPartStaysUntilItsFirstSample() throws {
    let first = try scratch.write(old, "part-000.wav")
    let parts = try PartNames(scratch.file("part-%03d.wav"))
    let file = try FileFormat(.wav, .s16)
    let splitting = SplittingSink(parts, limits: [.fileSize(200)]) { path in
      SoundFileSink(path: path, format: file, overwrite: true, replacement: .inPlace)
    }
    try splitting.begin(format)
    #expect(try contents(first) == old)
    let samples = (0..<100).map { Double($0) / 256 }
    #expect(try splitting.write(samples.span) == .accepted)
    try splitting.complete()
    let paths = scratch.names.map { scratch.file($0) }
    #expect(try paths.flatMap { try record(SoundFileSource(path: $0)).samples } == samples)
    #expect(try paths.allSatisfy { try contents($0).count <= 200 })
  }

  /// A forked process has the descriptor, too, until it executes its program.
  @Test func aClosedFileIsUnlockedInEveryProcess() throws {
    let path = try scratch.write(old, "x.wav")
    let first = try OutputFile(path: path, overwrites: true, .inPlace)
    let copy = dup(first.descriptor.number)
    defer { close(copy) }
    first.discard()
    let second = try OutputFile(path: path, overwrites: true, .inPlace)
    let another = dup(second.descriptor.number)
    defer { close(another) }
    try second.commit()
    _ = try OutputFile(path: path, overwrites: true, .inPlace)
  }

  @Test func anOldLogStaysUntilTheFirstLine() throws {
    let path = try scratch.write(old, "e.json")
    var log: BackgroundLines? = try lines(path)
    log = nil
    try lines(path).close(.abandoned)
    #expect(try contents(path) == old)
    log = try lines(path)
    _ = try log?.write(line: "{}")
    log = nil
    #expect(try contents(path) == Array("{}\n".utf8))
    try lines(path).close(.finished)
    #expect(try contents(path).isEmpty)
  }

  @Test func aNewLogGoesWithACommandThatRefuses() throws {
    let path = scratch.file("e.json")
    var log: BackgroundLines? = try lines(path, overwrite: false)
    log = nil
    #expect(log == nil)
    #expect(scratch.names.isEmpty)
    try lines(path, overwrite: false).close(.finished)
    #expect(scratch.names == ["e.json"])
  }

  /// A session that cannot begin leaves its other observers' outputs unchanged.
  @Test func aSessionThatIsRefusedLeavesEverything() throws {
    let log = try scratch.write(old, "e.json")
    let track = try scratch.write(old, "t.wav")
    let file = try scratch.write(old, "p.wav")
    let missing = scratch.file("none/x.wav")
    let session = try Session(local: GivenSource([0.5, 0.25], isLive: true))
    try session.setSink(try recording(file), at: .publish)
    let writer = try BackgroundWriter()
    try session.register(EventObserver(.record, to: try lines(log)))
    for path in [track, missing] {
      let files = try TapFiles(pattern: path, overwrite: true)
      try session.register(TapObserver(.record, to: files.sink, on: writer))
    }
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.subject == missing)
    for path in [log, track, file] { #expect(try contents(path) == old, "\(path)") }
    #expect(scratch.names == ["e.json", "p.wav", "t.wav"])
  }

  /// An empty source ends like any other.
  @Test func anEventLogOfNothingIsEmpty() throws {
    let log = try scratch.write(old, "e.json")
    let session = try Session(local: GivenSource([]))
    try session.setSink(NullSink(), at: .publish)
    try session.register(EventObserver(.record, to: try lines(log)))
    _ = try session.run()
    #expect(try contents(log).isEmpty)
  }
}
