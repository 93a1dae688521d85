// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Synchronization
import TestSupport
import Testing

/// A player acts from any thread, here from the one that takes its samples.
@Suite struct PlayerTests {
  /// Calls a closure with the samples of each block.
  private final class ActingSink: WrappingSink {
    let sink: any AudioSink
    private let act: ([Double]) -> Void

    init(_ sink: any AudioSink, _ act: @escaping ([Double]) -> Void) {
      self.sink = sink
      self.act = act
    }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
      let status = try sink.write(samples)
      act(samples.indices.map { Double(samples[$0]) })
      return status
    }

    func appendSilence(_ length: Int64) -> Bool { false }
  }

  /// The samples of a sink, and the player that it acts on.
  private final class Account: Sendable {
    let samples = Mutex<[Double]>([])
    let player = Mutex<Player?>(nil)
  }

  /// Every sample differs, and none is silence.
  private static let ramp = (1...48_000).map { Double($0) / 65_536 }

  private func player(
    _ account: Account, _ act: @escaping @Sendable (Player, [Double]) -> Void
  ) -> Player {
    let player = Player {
      try ArraySource(Self.ramp, format: StreamFormat(sampleRate: 8_000, channelCount: 1))
    } to: {
      ActingSink(CollectingSink(precision: .double)) { block in
        account.samples.withLock { $0 += block }
        if let player = account.player.withLock({ $0 }) { act(player, block) }
      }
    }
    account.player.withLock { $0 = player }
    return player
  }

  @Test func pausesWithSilenceAndGoesOnElsewhere() throws {
    let account = Account()
    let player = player(account) { player, block in
      if block.allSatisfy({ $0 == 0 }) {
        player.seek(to: .samples(40_000))
        try? player.play()
      } else if block[0] < 40_000 / 65_536 {
        player.pause()
      }
    }
    try player.play()
    let report = try player.wait()
    let heard = account.samples.withLock { $0 }
    let sound = heard.filter { $0 != 0 }
    let before = sound.count - 8_000
    #expect(report.outcome == .finished)
    #expect(before > 0 && before < heard.count - 8_000)
    #expect(sound == Array(Self.ramp[..<before]) + Array(Self.ramp[40_000...]))
    #expect(player.position == .seconds(6) && !player.isPaused)
    account.player.withLock { $0 = nil }
  }

  @Test func seeksBack() throws {
    let account = Account(), hasSought = Mutex(false)
    let player = player(account) { player, block in
      guard block.contains(Self.ramp[47_999]), !hasSought.withLock({ $0 }) else { return }
      hasSought.withLock { $0 = true }
      player.seek(to: .time(.seconds(5)))
    }
    player.seek(to: .samples(47_000))
    try player.play()
    try player.wait()
    #expect(account.samples.withLock { $0 } == Array(Self.ramp[47_000...] + Self.ramp[40_000...]))
    account.player.withLock { $0 = nil }
  }

  @Test func tellsASoughtPlaceAtOnce() throws {
    let account = Account(), told = Mutex<[Duration]>([])
    let player = player(account) { player, block in
      if told.withLock({ $0.isEmpty }) {
        player.pause()
        for place in [TimePosition.time(.seconds(5)), .samples(16_000)] {
          player.seek(to: place)
          told.withLock { $0.append(player.position) }
        }
      } else if player.isPaused, block.allSatisfy({ $0 == 0 }) {
        told.withLock { $0.append(player.position) }
        player.stop()
      }
    }
    player.seek(to: .time(.seconds(1)))
    #expect(player.position == .seconds(1))
    try player.play()
    try player.wait()
    #expect(told.withLock { $0.prefix(3) } == [.seconds(5), .seconds(2), .seconds(2)])
    account.player.withLock { $0 = nil }
  }

  @Test func stopsAndTellsErrors() throws {
    let account = Account()
    let player = player(account) { player, _ in player.stop() }
    let early = #expect(throws: AudioError.self) { try player.wait() }
    #expect(early?.kind == .lifeCycle)
    try player.play()
    #expect(try player.wait().outcome == .abandoned)
    account.player.withLock { $0 = nil }
    let failing = Player {
      throw AudioError(.notFound, cannot: "open", "a.wav", because: "there is none")
    } to: {
      NullSink()
    }
    try failing.play()
    let error = #expect(throws: AudioError.self) { try failing.wait() }
    #expect(error?.kind == .notFound)
  }
}
