// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioDevices
import Testing

/// The pace of a source's description or of a sink passes through wrappers.
@Suite struct PaceTests {
  init() { _ = AlsaConfiguration.directory }

  /// A program's own source that wraps a device's.
  private var wrappedSource: WrappedSource { WrappedSource(AlsaSource(device: "unpaced")) }

  /// A program's own sink that wraps a device's.
  private final class WrappedSink: WrappingSink {
    let sink: any AudioSink
    init(device: String) { sink = AlsaSink(device: device) }
  }

  private func followings(
    from source: any AudioSource, to sink: any AudioSink
  ) throws -> [SessionSummary.Following] {
    let session = try Session(local: source)
    try session.setSink(sink, at: .publish)
    var followings: [SessionSummary.Following] = []
    session.onStart = { summary in
      followings = summary.followings
      session.control.requestStop(.abandon)
    }
    defer { session.onStart = nil }
    _ = try session.run()
    return followings
  }

  @Test func aWrappedDeviceIsFollowed() throws {
    let path = AlsaConfiguration.path("pace.raw")
    let plain = try followings(
      from: AlsaSource(device: "unpaced"), to: AlsaSink(device: "file-out:\(path)"))
    #expect(plain.map(\.place) == [.publish])
    let wrapped = try followings(from: wrappedSource, to: WrappedSink(device: "file-out:\(path)"))
    #expect(wrapped.map(\.place) == [.publish])
    #expect(wrapped.map(\.latency) == plain.map(\.latency))
    let trimmed = try followings(
      from: TrimmedSource(wrappedSource, start: .samples(5), duration: nil),
      to: WrappedSink(device: "file-out:\(path)"))
    #expect(trimmed.map(\.latency) == plain.map(\.latency))
  }

  @Test func twoEndsOfOneNameHaveOneClock() throws {
    let same = try followings(from: wrappedSource, to: WrappedSink(device: "unpaced"))
    #expect(same.isEmpty)
  }

  @Test func aFileHasNoClock() throws {
    #expect(try followings(from: wrappedSource, to: NullSink()).isEmpty)
    #expect(!NullSink().pace.isLive && NullSink().pace.clock == nil)
    #expect(AlsaSink(device: "unpaced").pace.clock?.name == "unpaced")
  }
}
