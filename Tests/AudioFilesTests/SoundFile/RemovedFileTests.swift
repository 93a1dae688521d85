// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Testing

@testable import AudioFiles

/// A growing recording whose file is removed.
@Suite struct RemovedFileTests {
  let scratch = ScratchDirectory()
  let path: String
  init() { path = scratch.file("take.wav") }

  private func begun(_ sink: SoundFileSink) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    try sink.begin(format)
    let samples = [Float](repeating: 0.5, count: 480)
    _ = try sink.write(samples.span)
  }

  private func recording() throws -> SoundFileSink {
    let sink = SoundFileSink(path: path, format: try FileFormat(.wav, .s16), replacement: .inPlace)
    try begun(sink)
    return sink
  }

  private var removed: AudioError {
    AudioError(
      .notFound, cannot: "write to", path, because: "it was removed while it was written")
  }

  @Test func isToldAtTheNextUpdate() throws {
    let sink = try recording()
    defer { sink.dispose() }
    try sink.updateHeader()
    unsafe unlink(path)
    #expect(throws: removed) { try sink.updateHeader() }
  }

  @Test func isToldAtTheEnd() throws {
    let sink = try recording()
    defer { sink.dispose() }
    unsafe unlink(path)
    #expect(throws: removed) { try sink.stop(.finished) }
  }

  /// A renamed file still exists.
  @Test func mayBeRenamed() throws {
    let sink = try recording()
    defer { sink.dispose() }
    unsafe rename(path, scratch.file("other.wav"))
    try sink.updateHeader()
    try sink.stop(.finished)
    #expect(scratch.names == ["other.wav"])
  }

  /// The user of a descriptor knows its file.
  @Test func mayNeverHaveHadAName() throws {
    let number = unsafe open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(number) }
    unsafe unlink(path)
    let sink = SoundFileSink(
      descriptor: number, name: "unnamed", format: try FileFormat(.wav, .s16))
    defer { sink.dispose() }
    try begun(sink)
    try sink.updateHeader()
    try sink.stop(.finished)
    #expect(lseek(number, 0, SEEK_END) > 960)
  }
}
