// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioFiles

@Suite struct OutputSafetyTests {
  let scratch = ScratchDirectory()
  let format: StreamFormat
  init() throws { format = try StreamFormat(sampleRate: 48_000, channelCount: 1) }

  private func sink(
    _ path: String, _ container: Container = .wav, overwrite: Bool = false,
    _ replacement: FileReplacement = .onCompletion
  ) throws -> SoundFileSink {
    SoundFileSink(
      path: path, format: try FileFormat(container, .s16), overwrite: overwrite,
      replacement: replacement)
  }

  private func failure(_ sink: SoundFileSink) -> String? {
    defer { sink.dispose() }
    do throws(AudioError) {
      _ = try sink.initialize(proposing: format, wakeup: Wakeup())
      return nil
    } catch {
      return error.description
    }
  }

  @Test func refusalsLeaveNothingBehind() throws {
    let old = try scratch.write([1, 2, 3], "old.wav")
    #expect(failure(try sink(old)) == "cannot write to '\(old)': it exists already")
    #expect(
      failure(try sink(scratch.file("none/x.wav")))
        == "cannot write to '\(scratch.file("none/x.wav"))': its directory does not exist")
    #expect(
      failure(try sink(scratch.path)) == "cannot write to '\(scratch.path)': it is a directory")
    let wrong = SoundFileSink(
      path: scratch.file("x.opus"), format: try FileFormat(.opus, .opus), sampleRate: 44_100)
    #expect(
      failure(wrong) == "cannot store 44100 Hz in 'opus': "
        + "it holds only 8000, 12000, 16000, 24000, 48000 Hz; convert to 48000 Hz")
    #expect(scratch.names == ["old.wav"])
    #expect(try contents(old) == [1, 2, 3])
  }

  /// Root can write everywhere, so this needs another user.
  @Test(.enabled(if: getuid() != 0)) func aFileWithoutPermissionIsRefused() throws {
    let old = try scratch.write([1, 2, 3], "old.wav")
    unsafe chmod(old, 0o444)
    #expect(
      failure(try sink(old, overwrite: true)) == "cannot write to '\(old)': permission denied")
  }

  @Test func anAbandonedNewFileIsRemoved() throws {
    for container in [Container.wav, .flac, .aiff] {
      let path = scratch.file("new")
      let sink = try sink(path, container)
      _ = try sink.initialize(proposing: format, wakeup: Wakeup())
      #expect(scratch.names == [".new.rawaudio-partial"])
      try feed([0.5, 0.25], sink)
      try sink.stop(.abandoned)
      sink.dispose()
      #expect(scratch.names.isEmpty)
    }
    // Also without a `stop`.
    let sink = try sink(scratch.file("new"))
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    sink.dispose()
    #expect(scratch.names.isEmpty)
  }

  @Test func anOldFileStaysUntilTheNewOneIsComplete() throws {
    let path = try scratch.write([1, 2, 3], "x.wav")
    unsafe chmod(path, 0o640)
    let abandoned = try sink(path, overwrite: true)
    _ = try abandoned.initialize(proposing: format, wakeup: Wakeup())
    try feed([0.5], abandoned)
    #expect(try contents(path) == [1, 2, 3])
    try abandoned.stop(.abandoned)
    abandoned.dispose()
    #expect(try contents(path) == [1, 2, 3])
    #expect(scratch.names == ["x.wav"])

    try store([0.5], try sink(path, overwrite: true), format)
    #expect(try record(SoundFileSource(path: path)).samples == [0.5])
    #expect(scratch.names == ["x.wav"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  /// `convert x.wav -o x.wav --force`.
  @Test func aFileCanBeReadWhileItIsReplaced() throws {
    let samples = material(3_000, channels: 1, bits: 16)
    let path = scratch.file("x.wav")
    try store(samples, try sink(path), format)
    let source = SoundFileSource(path: path)
    _ = try source.initialize(proposing: nil, wakeup: Wakeup())
    let output = try sink(path, overwrite: true)
    _ = try output.initialize(proposing: format, wakeup: Wakeup())
    let queue = TestQueue(capacity: 100)
    var block: [Double] = []
    while try queue.take(from: source, into: &block) == .ready {
      try feed(block.map { -$0 }, output)
      block = []
    }
    try output.complete()
    source.dispose()
    // The most negative sample has no positive counterpart.
    let back = try record(SoundFileSource(path: path)).samples
    #expect(back.dropFirst().elementsEqual(samples.dropFirst().map { -$0 }))
  }

  @Test func aLinkIsFollowed() throws {
    let target = try scratch.write([1], "target.wav")
    let link = scratch.file("link.wav")
    unsafe symlink(target, link)
    try store([0.5], try sink(link, overwrite: true), format)
    #expect(scratch.names == ["link.wav", "target.wav"])
    #expect(try record(SoundFileSource(path: target)).samples == [0.5])
  }

  @Test(arguments: [Container.wav, .raw, .au, .flac, .ogg])
  func aFullDiskIsAnError(_ container: Container) throws {
    let format = try FileFormat(container, for: .s16)
    let sink = SoundFileSink(path: "/dev/full", format: format, overwrite: true)
    let samples = material(30_000, channels: 1, bits: 16)
    let error = #expect(throws: AudioError.self) {
      try store(samples, sink, self.format)
    }
    #expect(error?.kind == .inputOutput)
    #expect(error?.reason.lowercased().contains("no space left on device") == true)
  }

  @Test func anAbandonedLiveRecordingIsKept() throws {
    let path = scratch.file("live.wav")
    let sink = try sink(path, .wav, .inPlace)
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    try feed([0.5, 0.25], sink)
    try sink.stop(.abandoned)
    sink.dispose()
    #expect(try record(SoundFileSource(path: path)).samples == [0.5, 0.25])
  }
}
