// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// No input is emptied before it is read, and no two outputs are one file, under any names.
@Suite struct OutputIdentityTests {
  let scratch = ScratchDirectory()
  let format: StreamFormat
  let input: String
  let old: [UInt8]

  init() throws {
    format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    input = scratch.file("in.wav")
    try storeMaterial(4_800, in: input, FileFormat(.wav, .s16), format)
    old = try contents(input)
    unsafe mkdir(scratch.file("d"), 0o755)
    unsafe link(input, scratch.file("hard.wav"))
    unsafe symlink("in.wav", scratch.file("soft.wav"))
  }

  /// `in.wav` and other names of it.
  static let names = ["in.wav", "./in.wav", "d/../in.wav", "hard.wav", "soft.wav"]

  private func sink(
    _ name: String, _ replacement: FileReplacement, overwrite: Bool = true
  ) throws -> SoundFileSink {
    SoundFileSink(
      path: scratch.file(name), format: try FileFormat(.wav, .s16), overwrite: overwrite,
      replacement: replacement)
  }

  private func lines(_ name: String) throws -> BackgroundLines {
    try BackgroundLines(
      path: scratch.file(name), overwrite: true, on: try BackgroundWriter(), overflow: .wait)
  }

  @Test(arguments: names)
  func anInputIsNotWrittenInItsPlace(_ name: String) throws {
    let session = try Session(local: SoundFileSource(path: input))
    try session.setSink(try sink(name, .inPlace), at: .publish)
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.subject == scratch.file(name))
    #expect(try contents(input) == old)
  }

  @Test(arguments: names)
  func anInputIsNoEventLog(_ name: String) throws {
    let session = try Session(local: SoundFileSource(path: input))
    try session.setSink(NullSink(), at: .publish)
    try session.register(EventObserver(.record, to: try lines(name)))
    #expect(errorKind { try session.run() } == .invalidParameter)
    #expect(try contents(input) == old)
  }

  /// Its source opens after its tap.
  @Test func whatAnObserverMixesInIsAnInput() throws {
    let session = Session()
    let (path, other) = (input, scratch.file("other.wav"))
    unsafe link(path, other)
    try session.setLocal(try GivenSource([0.5, 0.25]))
    try session.setSink(NullSink(), at: .publish)
    let writer = try BackgroundWriter()
    func sink(_ stream: ObservedStream) throws(AudioError) -> any AudioSink {
      SoundFileSink(
        path: other, format: try FileFormat(.wav, .s16), overwrite: true, replacement: .inPlace)
    }
    try session.register(TapObserver(.record, to: sink, on: writer))
    try session.register(MixObserver(.record) { _ in SoundFileSource(path: path) })
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.action == "read")
    #expect(try contents(input) == old)
  }

  /// A session never reads its own recording, not even after its begin.
  @Test func whoeverJoinsDoesNotReadWhatTheSessionWrites() throws {
    let wakeup = Wakeup()
    let recording = try sink("in.wav", .inPlace)
    defer { recording.dispose() }
    _ = try recording.initialize(proposing: format, wakeup: wakeup)
    try recording.start()
    func reading(_ wakeup: Wakeup) -> AudioError? {
      let source = SoundFileSource(path: input)
      defer { source.dispose() }
      do throws(AudioError) {
        _ = try source.initialize(proposing: nil, wakeup: wakeup)
        return nil
      } catch {
        return error
      }
    }
    // The recording is about to empty the file.
    #expect(reading(wakeup)?.kind == .invalidParameter)
    #expect(reading(Wakeup())?.kind == .invalidParameter)
    try feed([0.5, 0.25], recording)
    try recording.updateHeader()
    #expect(reading(wakeup)?.kind == .invalidParameter)
    // Another session may read a recording while it grows.
    #expect(reading(Wakeup()) == nil)
    try recording.stop(.finished)
    #expect(reading(wakeup) == nil)
  }

  @Test(arguments: names, [FileReplacement.inPlace, .onCompletion])
  func twoOutputsAreTwoFiles(_ name: String, _ replacement: FileReplacement) throws {
    let first = try sink("in.wav", .onCompletion)
    defer { first.dispose() }
    _ = try first.initialize(proposing: format, wakeup: Wakeup())
    let second = try sink(name, replacement)
    defer { second.dispose() }
    let error = #expect(throws: AudioError.self) {
      _ = try second.initialize(proposing: format, wakeup: Wakeup())
    }
    #expect(error?.advice == "give each output its own")
    #expect(throws: AudioError.self) { try lines(name) }
    try first.stop(.abandoned)
    #expect(try contents(input) == old)
  }

  @Test(
    arguments: ["new.wav", "d/../new.wav", "to-new.wav"], [FileReplacement.inPlace, .onCompletion])
  func twoNewOutputsAreTwoFiles(_ name: String, _ replacement: FileReplacement) throws {
    unsafe symlink("new.wav", scratch.file("to-new.wav"))
    let before = scratch.names
    for (one, other) in [("new.wav", name), (name, "new.wav")] {
      let first = try sink(one, replacement)
      _ = try first.initialize(proposing: format, wakeup: Wakeup())
      let second = try sink(other, .onCompletion)
      #expect(
        errorKind { _ = try second.initialize(proposing: format, wakeup: Wakeup()) }
          == .invalidParameter)
      second.dispose()
      first.dispose()
      #expect(scratch.names == before)
    }
  }

  /// As with `< in.wav` and `>> in.wav`.
  @Test func aFileThatIsOpenAlreadyIsTheSameFile() throws {
    let number = unsafe open(input, O_RDWR)
    defer { close(number) }
    let reading = SoundFileSource(descriptor: number, name: "standard input")
    _ = try reading.initialize(proposing: nil, wakeup: Wakeup())
    #expect(throws: AudioError.self) { try lines("hard.wav") }
    let appending = unsafe open(input, O_WRONLY | O_APPEND)
    defer { close(appending) }
    #expect(throws: AudioError.self) {
      try BackgroundLines(
        descriptor: appending, name: "standard output", on: try BackgroundWriter(), overflow: .wait)
    }
    reading.dispose()
    // As with `2> in.wav`.
    let told = try BackgroundLines(
      descriptor: number, name: "standard error", on: try BackgroundWriter(), overflow: .wait)
    #expect(throws: AudioError.self) { try lines("soft.wav") }
    try told.close(.finished)
    #expect(try contents(input) == old)
  }

  /// Devices and pipes may have several users.
  @Test func aDeviceTakesTwoOutputs() throws {
    let null = SoundFileSink(path: "/dev/null", format: try FileFormat(.wav, .s16), overwrite: true)
    let other = SoundFileSink(
      path: "/dev/null", format: try FileFormat(.wav, .s16), overwrite: true)
    for sink in [null, other] { _ = try sink.initialize(proposing: format, wakeup: Wakeup()) }
    for sink in [null, other] { sink.dispose() }
  }
}
