// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Sources join and leave an open session while observers hold streams back: each begins, stays and ends at its exact
/// sample, and the session ends.
@Suite struct OpenHeldBackTests {
  static let positions: [ObservationPositions] = [
    [.record], [.beforeMixing], [.playback], [.mixed], [.record, .playback],
    [.record, .beforeMixing, .playback, .mixed],
  ]

  private static func voice(_ seed: UInt64, _ length: Int = 48_000) -> [Double] {
    Noise.integers(length, seed: seed).map { $0 / 8 }
  }

  /// Every local source, every playing device and every position, with a duration and until the last source leaves.
  @Test(arguments: positions, [0.1, 2])
  func everybodyIsHeardWhereTheyBelong(positions: ObservationPositions, held: Double) throws {
    for local in OpenRoom.Local.allCases {
      for player in OpenRoom.Player.allCases {
        for length in player == .none ? [3_000, nil] : [3_000] as [Int?] {
          let room = try OpenRoom(local: local, player: player, milliseconds: length)
          if held > 0 { try room.hold(positions, seconds: held) }
          let (anna, ben, carl) = (SourceID("anna"), SourceID("ben"), SourceID("carl"))
          room.after(100) { try room.join(anna, .init(samples: Self.voice(2))) }
          room.after(300) { try room.join(ben, .init(samples: Self.voice(3), dies: 20_000)) }
          room.after(400) { try room.join(carl, .init(samples: Self.voice(4), isFile: true)) }
          room.after(700) { try? room.session.live.remove(SourceKey(carl)) }
          try room.run()
          #expect(
            room.fault == nil,
            "\(local), \(player), \(length.map { "\($0) ms" } ?? "until empty")")
          #expect(room.told.joined == 3)
        }
      }
    }
  }

  /// Editors join and leave as well. Silence replaces the samples that they hold back from a sending source; the other
  /// sources stay as they are.
  @Test(arguments: [[.record], [.beforeMixing], [.playback], [.mixed]] as [ObservationPositions])
  func editorsComeAndGo(positions: ObservationPositions) throws {
    for local in OpenRoom.Local.allCases {
      for held in [0.1, 2] {
        let room = try OpenRoom(local: local, milliseconds: 5_000)
        let anna = SourceID("anna")
        var registration: ObserverRegistration?
        room.after(200) { try room.join(anna, .init(samples: Self.voice(2, 144_000))) }
        room.after(700) { registration = try room.hold(positions, seconds: held) }
        room.after(700 + Int(held * 1_500)) { registration?.unregister() }
        try room.run()
        #expect(room.fault == nil, "\(local), \(held)")
        #expect(room.told.left == 1)
      }
    }
  }

  @Test(arguments: seeds(10)) func anyRoomIsExact(seed: UInt64) throws {
    var draw = Draw(seed: seed)
    let length: Int? = draw.chance ? draw.number(in: 1_000...6_000) : nil
    let local = draw.element(OpenRoom.Local.allCases)
    let player = draw.element(OpenRoom.Player.allCases)
    let room = try OpenRoom(local: local, player: player, milliseconds: length)
    var story = "\(local), \(player), \(length.map { "\($0) ms" } ?? "until empty")"
    for _ in 0..<draw.number(in: 0...3) {
      let (positions, held) = (draw.element(Self.positions), Double(draw.number(in: 1...20)) / 10)
      story += "; held \(positions) \(held) s"
      try room.hold(positions, seconds: held)
    }
    for number in 1...draw.number(in: 1...4) {
      let id = try SourceID("guest-\(number)")
      let length = draw.number(in: 1...100_000)
      let guest = OpenRoom.Guest(
        samples: Self.voice(seed &* 10 &+ UInt64(number), length),
        dies: draw.number(in: 0...3) == 0 ? draw.number(in: 1...length) : nil, isFile: draw.chance)
      let at = draw.number(in: 0...2_000)
      story += "; \(id) \(guest.isFile ? "file" : "program") of \(length) at \(at) ms"
      story += guest.dies.map { " dies at \($0)" } ?? ""
      room.after(at) { try room.join(id, guest) }
      if draw.number(in: 0...3) == 0 {
        let later = at + draw.number(in: 0...1_500)
        story += " removed at \(later) ms"
        // The source may have left already.
        room.after(later) { try? room.session.live.remove(SourceKey(id)) }
      }
    }
    try room.run()
    #expect(room.fault == nil, "\(story)")
  }
}
