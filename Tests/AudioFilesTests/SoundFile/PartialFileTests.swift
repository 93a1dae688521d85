// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// A file gets its name when it is complete.
@Suite struct PartialFileTests {
  let scratch = ScratchDirectory()
  let format: StreamFormat

  init() throws { format = try StreamFormat(sampleRate: 48_000, channelCount: 1) }

  private func opened(_ path: String, overwrite: Bool = false) throws -> SoundFileSink {
    let sink = SoundFileSink(path: path, format: try FileFormat(.wav, .s16), overwrite: overwrite)
    try sink.begin(format)
    return sink
  }

  @Test func aNewFileIsWholeWhereItIsThere() throws {
    let sink = try opened(scratch.file("new.wav"))
    try feed([0.5, 0.25], sink)
    #expect(scratch.names == [".new.wav.rawaudio-partial"])
    try sink.stop(.finished)
    #expect(scratch.names == ["new.wav"])
    sink.dispose()
    #expect(try record(SoundFileSource(path: scratch.file("new.wav"))).samples == [0.5, 0.25])
  }

  /// An observer that fails in a frame's callback ends the session like any error.
  @Test func aFailingObserverLeavesNoFile() throws {
    final class Failing: UniformObserver {
      typealias Sample = Float
      let positions: ObservationPositions = .record
      private var stream: ObservedStream?
      func begin(_ stream: ObservedStream) throws(AudioError) { self.stream = stream }
      func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
        stream?.fail(AudioError.diskFull)
        return true
      }
    }
    let session = try Session(local: GivenSource(Noise.integers(48_000), pieces: [480]))
    try session.setSink(
      SoundFileSink(path: scratch.file("new.wav"), format: try FileFormat(.wav, .s16)), at: .publish
    )
    try session.register(Failing())
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(scratch.names == [])
  }

  /// For example another program's file of that name.
  @Test func whatAppearedMeanwhileIsNotReplaced() throws {
    let path = scratch.file("new.wav")
    let sink = try opened(path)
    try feed([0.5], sink)
    _ = try scratch.write([1, 2, 3], "new.wav")
    let error = #expect(throws: AudioError.self) { try sink.stop(.finished) }
    sink.dispose()
    #expect(error?.kind == .alreadyExists)
    #expect(error?.subject == path)
    #expect(scratch.names == ["new.wav"])
    #expect(try contents(path) == [1, 2, 3])
  }

  @Test func whatAppearedMeanwhileIsReplacedWhereThatIsAskedFor() throws {
    let path = scratch.file("new.wav")
    let sink = try opened(path, overwrite: true)
    try feed([0.5], sink)
    _ = try scratch.write([1, 2, 3], "new.wav")
    try sink.complete()
    #expect(scratch.names == ["new.wav"])
    #expect(try record(SoundFileSource(path: path)).samples == [0.5])
  }

  /// A killed run's remainder is removed by the next run, even if it is a link to another file.
  @Test func theRemainderOfAKilledRunIsRemoved() throws {
    let precious = try scratch.write([1, 2, 3], "precious")
    for isLink in [false, true] {
      if isLink {
        unsafe symlink(precious, scratch.file(".x.wav.rawaudio-partial"))
      } else {
        _ = try scratch.write([9, 9], ".x.wav.rawaudio-partial")
      }
      let sink = try opened(scratch.file("x.wav"), overwrite: true)
      try feed([0.5], sink)
      try sink.complete()
      #expect(scratch.names == ["precious", "x.wav"])
    }
    #expect(try record(SoundFileSource(path: scratch.file("x.wav"))).samples == [0.5])
    #expect(try contents(precious) == [1, 2, 3])
  }

  /// The lock of another process that is writing to it.
  @Test func twoRunsDoNotWriteToOneFile() throws {
    let partial = try scratch.write([9, 9], ".x.wav.rawaudio-partial")
    let other = unsafe open(partial, O_RDONLY)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let error = #expect(throws: AudioError.self) { try opened(scratch.file("x.wav")) }
    #expect(error?.reason == "another run is writing to it")
    #expect(try contents(partial) == [9, 9])
    close(other)
    let sink = try opened(scratch.file("x.wav"))
    try sink.complete()
    #expect(scratch.names == ["x.wav"])
  }

  /// Up to the longest file name; cut between characters.
  @Test(arguments: [200, 237, 238, 239, 251, 255])
  func aLongNameIsShortened(_ length: Int) throws {
    for letter in ["n", "é", "音"] {
      let width = letter.utf8.count
      let stem = String(repeating: letter, count: (length - 4) / width)
      let name = stem + String(repeating: "n", count: length - 4 - stem.utf8.count) + ".wav"
      #expect(name.utf8.count == length)
      for overwrite in [false, true] {
        let sink = try opened(scratch.file(name), overwrite: overwrite)
        try feed([0.5], sink)
        let partial = try #require(scratch.names.first { $0.hasPrefix(".") })
        #expect(partial.hasSuffix(".rawaudio-partial") && partial.utf8.count <= 255)
        try sink.complete()
        #expect(scratch.names == [name])
      }
      unsafe unlink(scratch.file(name))
    }
    let other = try opened(scratch.file(String(repeating: "n", count: 250) + "1.wav"))
    let another = try opened(scratch.file(String(repeating: "n", count: 250) + "2.wav"))
    #expect(scratch.names.count == 2)
    other.dispose()
    another.dispose()
    #expect(scratch.names.isEmpty)
  }

  @Test func aTooLongNameIsRefused() throws {
    let error = #expect(throws: AudioError.self) {
      try opened(scratch.file(String(repeating: "n", count: 256)))
    }
    #expect(error?.reason == "file name too long")
  }

  @Test func aLinkToNothingLeadsToTheNewFile() throws {
    unsafe mkdir(scratch.file("d"), 0o755)
    unsafe symlink("d/target.wav", scratch.file("one.wav"))
    unsafe symlink("one.wav", scratch.file("two.wav"))
    #expect(throws: AudioError.self) { try opened(scratch.file("two.wav")) }
    let sink = try opened(scratch.file("two.wav"), overwrite: true)
    try feed([0.5], sink)
    try sink.complete()
    #expect(try record(SoundFileSource(path: scratch.file("d/target.wav"))).samples == [0.5])
    #expect(scratch.names == ["d", "one.wav", "two.wav"])
    unsafe symlink("loop", scratch.file("loop"))
    #expect(throws: AudioError.self) { try opened(scratch.file("loop"), overwrite: true) }
  }

  @Test func aZeroByteEndsNoName() throws {
    #expect(errorKind { try opened(scratch.file("x\0.wav")) } == .invalidParameter)
    #expect(scratch.names.isEmpty)
  }
}
