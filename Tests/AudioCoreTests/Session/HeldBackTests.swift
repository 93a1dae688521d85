// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Live sums while observers hold streams back: the sum waits, and every stream keeps its time.
@Suite struct HeldBackTests {
  private static let rate = 48_000

  /// Takes long frames and leaves them unchanged.
  private final class Holder: GenericObserver {
    let positions: ObservationPositions
    private let length: Int

    init(_ positions: ObservationPositions, seconds: Double) {
      self.positions = positions
      length = Int(seconds * Double(HeldBackTests.rate))
    }

    func parameters(at position: ObservationPosition) -> FrameParameters {
      FrameParameters(mode: .readWrite, samplesPerCall: length)
    }

    func observe<Sample: AudioSample>(
      _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
    ) -> Bool { true }
  }

  private struct Meeting {
    let session = Session()
    let time = VirtualTime()
    let local = Noise.integers(5 * HeldBackTests.rate / 2, seed: 1).map { $0 / 4 }
    let remote = Noise.integers(5 * HeldBackTests.rate / 2, seed: 2).map { $0 / 4 }
    let publish = CollectingSink(precision: .double)
    let playback = CollectingSink(precision: .double)
    let mixed = CollectingSink(precision: .double)

    init() { session.time = time }

    var sum: [Double] { zip(local, remote).map { $0 + $1 } }
  }

  enum Far: CaseIterable {
    case file
    case program
    case device
  }

  enum Player: CaseIterable {
    case none
    case sameDevice
    case otherDevice
  }

  static let positions: [ObservationPositions] = [
    [.record], [.beforeMixing], [.playback], [.mixed], [.record, .beforeMixing],
    [.record, .beforeMixing, .playback, .mixed],
  ]

  /// A local device, a remote of any kind, files behind: every sample is in its place.
  @Test(arguments: positions, [0.11, 2])
  func filesBeginWhereTheyBelong(positions: ObservationPositions, seconds: Double) throws {
    for far in Far.allCases {
      let meeting = Meeting()
      let session = meeting.session
      try session.setLocal(
        try VirtualLiveSource(meeting.local, device: "microphone", meeting.time))
      switch far {
      case .file: try session.addRemote(try GivenSource(meeting.remote, encoding: .s24))
      case .program: try session.addRemote(try VirtualLiveSource(meeting.remote, meeting.time))
      case .device:
        try session.addRemote(
          try VirtualLiveSource(meeting.remote, device: "line", meeting.time))
      }
      try session.setSink(meeting.publish, at: .publish)
      try session.setSink(meeting.playback, at: .playback)
      try session.setSink(meeting.mixed, at: .mixed)
      try session.register(Holder(positions, seconds: seconds))
      let report = try session.run()
      #expect(firstDifference(meeting.publish.samples, meeting.local) == nil)
      #expect(firstDifference(meeting.playback.samples, meeting.remote) == nil)
      #expect(firstDifference(meeting.mixed.samples, meeting.sum) == nil)
      #expect(report.sources.map(\.missingSamplesPerChannel) == [0, 0])
    }
  }

  /// A device plays the remote, whose sound begins late instead of early and with holes.
  @Test(arguments: positions, [0.1, 1])
  func whatPlaysWaitsToo(positions: ObservationPositions, seconds: Double) throws {
    for far in [Far.file, .program] {
      let meeting = Meeting()
      let session = meeting.session
      try session.setLocal(
        try VirtualLiveSource(meeting.local, device: "microphone", meeting.time))
      if far == .file {
        try session.addRemote(try GivenSource(meeting.remote, encoding: .s24))
      } else {
        try session.addRemote(try VirtualLiveSource(meeting.remote, meeting.time))
      }
      let player = VirtualPlayer("loudspeaker", meeting.time)
      try session.setSink(meeting.publish, at: .publish)
      try session.setSink(player, at: .playback)
      try session.setSink(meeting.mixed, at: .mixed)
      try session.register(Holder(positions, seconds: seconds))
      let report = try session.run()
      #expect(firstDifference(meeting.publish.samples, meeting.local) == nil)
      #expect(firstDifference(player.samples, meeting.remote) == nil)
      #expect(player.missing == 0)
      #expect(firstDifference(meeting.mixed.samples, meeting.sum) == nil)
      #expect(report.sources.map(\.missingSamplesPerChannel) == [0, 0])
    }
  }

  /// Two programs that send, without a device: the machine's clock.
  @Test(arguments: [0.1, 1, 2]) func programsAloneAreExact(seconds: Double) throws {
    let meeting = Meeting()
    let session = meeting.session
    try session.addRemote(try VirtualLiveSource(meeting.local, meeting.time))
    try session.addRemote(try VirtualLiveSource(meeting.remote, meeting.time))
    try session.setSink(meeting.playback, at: .playback)
    try session.register(Holder([.beforeMixing], seconds: seconds), from: "2")
    let report = try session.run()
    #expect(firstDifference(meeting.playback.samples, meeting.sum) == nil)
    #expect(report.sources.map(\.missingSamplesPerChannel) == [0, 0])
  }

  /// One of them has no samples for a second: the other goes on, and the silence is counted.
  @Test(arguments: [0, 0.5]) func aSilentProgramHoldsUpNobody(seconds: Double) throws {
    let meeting = Meeting()
    let session = meeting.session
    let silent = try VirtualLiveSource(meeting.remote, meeting.time)
    silent.pause = (after: 48_000, samplesPerChannel: 48_000)
    try session.addRemote(try VirtualLiveSource(meeting.local, meeting.time))
    try session.addRemote(silent)
    try session.setSink(meeting.playback, at: .playback)
    if seconds > 0 { try session.register(Holder([.beforeMixing], seconds: seconds)) }
    let report = try session.run()
    let missing = report.sources.map { Int($0.missingSamplesPerChannel) }
    #expect(missing[0] == 0)
    let heard = meeting.playback.samples
    #expect(heard.count == meeting.remote.count + missing[1])
    let silence = [Double](repeating: 0, count: missing[1])
    var there = meeting.remote
    there.insert(contentsOf: silence, at: 48_000)
    let other = meeting.local + silence
    #expect(firstDifference(heard, zip(there, other).map { $0 + $1 }) == nil)
    // A second, less the allowed lateness.
    #expect((48_000 - 4_800...48_000).contains(missing[1]))
  }
}
