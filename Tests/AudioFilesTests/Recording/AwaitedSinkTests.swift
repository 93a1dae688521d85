// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Recordings whose first sample is awaited.
@Suite struct AwaitedSinkTests {
  private let scratch = ScratchDirectory()
  private let old: [UInt8] = Array("a good recording".utf8)

  private func format() throws -> StreamFormat {
    try StreamFormat(sampleRate: 8_000, channelCount: 2)
  }

  private func file(_ name: String, overwrite: Bool = true) throws -> SoundFileSink {
    SoundFileSink(
      path: scratch.file(name), format: try FileFormat(.wav, .s16), overwrite: overwrite,
      replacement: .inPlace)
  }

  private func write(_ samples: [Float], to sink: any AudioSink) throws {
    _ = try sink.write(samples.span)
  }

  private let silence = [Float](repeating: 0, count: 200)
  private let sound = [Float](repeating: 0.25, count: 100)

  @Test func silenceBeforeAnySourceIsHeldAndGoesInFront() throws {
    let path = try scratch.write(old, "take.wav")
    let sources = AwaitedSink.Sources()
    let sink = AwaitedSink(try file("take.wav"), sources, leavesOut: false)
    _ = try sink.initialize(proposing: try format(), wakeup: Wakeup())
    sources.begin(1)
    sources.lose()
    for _ in 0..<3 { try write(silence, to: sink) }
    #expect(try contents(path) == old)
    sources.gain()
    try write(silence, to: sink)
    #expect(try contents(path) != old)
    try write(sound, to: sink)
    try sink.stop(.finished)
    #expect(
      try record(SoundFileSource(path: path)).samples
        == [Double](repeating: 0, count: 800) + [Double](repeating: 0.25, count: 100))
  }

  /// No sample is ever taken for silence, whatever is known of its source.
  @Test func aSampleBeginsTheRecording() throws {
    let sources = AwaitedSink.Sources()
    let sink = AwaitedSink(try file("take.wav"), sources, leavesOut: false)
    _ = try sink.initialize(proposing: try format(), wakeup: Wakeup())
    sources.begin(0)
    try write(silence, to: sink)
    try write(silence.dropLast() + [-0.5], to: sink)
    try write(silence, to: sink)
    try sink.stop(.finished)
    let found = try record(SoundFileSource(path: scratch.file("take.wav"))).samples
    #expect(found.count == 600 && found[399] == -0.5)
  }

  /// Without a loss, silence is what the device gives.
  @Test func theSilenceOfADeviceIsRecorded() throws {
    let sources = AwaitedSink.Sources()
    let sink = AwaitedSink(try file("take.wav"), sources, leavesOut: false)
    _ = try sink.initialize(proposing: try format(), wakeup: Wakeup())
    sources.begin(2)
    sources.lose()
    try write(silence, to: sink)
    try sink.stop(.finished)
    #expect(
      try record(SoundFileSource(path: scratch.file("take.wav"))).samples
        == [Double](repeating: 0, count: 200))
  }

  /// A part tells the position of its first sample; the silence in front is left out.
  @Test func partsBeginWithTheFirstSample() throws {
    var parts: [SplittingSink.Part] = []
    let names = try PartNames(scratch.file("p%02d.wav"), in: .utc)
    let sources = AwaitedSink.Sources()
    let splitting = SplittingSink(
      names, limits: [.duration(.samples(75))],
      making: {
        SoundFileSink(
          path: $0, format: FileFormat.s16Wave, overwrite: true, replacement: .inPlace)
      }, onPart: { parts.append($0) })
    let sink = AwaitedSink(splitting, sources, leavesOut: true)
    _ = try sink.initialize(proposing: try format(), wakeup: Wakeup())
    sources.begin(0)
    for _ in 0..<2 { try write(silence, to: sink) }
    #expect(parts.isEmpty)
    sources.gain()
    for _ in 0..<3 { try write(sound, to: sink) }
    try sink.stop(.finished)
    #expect(parts.map(\.position) == [200, 275])
    #expect(parts.map(\.samplesPerChannel) == [75, 75])
    #expect(scratch.names == ["p00.wav", "p01.wav"])
  }

  /// The part that was opened is removed with its folder, and not told.
  @Test func noPartIsEmpty() throws {
    var parts = 0
    let splitting = SplittingSink(
      try PartNames(scratch.file("%Y/p%02d.wav"), in: .utc), limits: [],
      making: {
        SoundFileSink(path: $0, format: FileFormat.s16Wave, replacement: .inPlace)
      }, onPart: { _ in parts += 1 })
    _ = try splitting.initialize(proposing: try format(), wakeup: Wakeup())
    try splitting.stop(.finished)
    #expect(splitting.leftNoFile && parts == 0)
    #expect(scratch.names == [])
  }

  @Test(arguments: [StopReason.finished, .abandoned], [false, true])
  func aRecordingWithoutASampleLeavesAllAsItWas(_ reason: StopReason, isOld: Bool) throws {
    if isOld { _ = try scratch.write(old, "take.wav") }
    let sink = try file("take.wav", overwrite: isOld)
    _ = try sink.initialize(proposing: try format(), wakeup: Wakeup())
    try write([], to: sink)
    #expect(try sink.appendSilence(0))
    try sink.updateHeader()
    try sink.receive(.idle)
    try sink.stop(reason)
    #expect(sink.leftNoFile == (reason == .finished))
    #expect(scratch.names == (isOld ? ["take.wav"] : []))
    if isOld { #expect(try contents(scratch.file("take.wav")) == old) }
  }
}

extension FileFormat {
  fileprivate static var s16Wave: FileFormat {
    do { return try FileFormat(.wav, .s16) } catch { preconditionFailure("\(error)") }
  }
}
