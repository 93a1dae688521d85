// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 1: positions.
@Suite struct PositionTests {
  /// Names no positions and takes any position.
  private final class Silent: UniformObserver {
    var visited: Set<ObservationPosition> = []
    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      visited.insert(position)
      return true
    }
  }

  /// Names no positions, in the session's sample type.
  private final class GenericSilent: GenericObserver {
    var visited: Set<ObservationPosition> = []
    func observe<Sample: AudioSample>(
      _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
    ) -> Bool {
      visited.insert(position)
      return true
    }
  }

  /// Has the callbacks of two positions and names no positions.
  private final class Two: MixedObserver, BeforeMixingObserver {
    var visited: Set<ObservationPosition> = []
    func mixed(_ frame: inout AudioFrame<Double>) -> Bool { visit(.mixed) }
    func beforeMixing(_ frame: inout AudioFrame<Double>, from source: SourceKey) -> Bool {
      visit(.beforeMixing)
    }
    private func visit(_ position: ObservationPosition) -> Bool {
      visited.insert(position)
      return true
    }
  }

  /// Has one callback and names other positions.
  private final class Mistaken: RecordObserver {
    let positions: ObservationPositions
    var calls = 0
    init(_ positions: ObservationPositions) { self.positions = positions }
    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      calls += 1
      return true
    }
  }

  /// Has a callback for any position and one of its own for record.
  private final class Both: UniformObserver, RecordObserver {
    var events: [String] = []
    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      events.append("record")
      return true
    }
    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      events.append("any \(position)")
      return true
    }
  }

  @Test func anObserverOfSinglePositionsThatSaysNothingGetsThose() throws {
    let bench = try ContractSession()
    let observer = Two()
    let registration = try bench.session.register(observer)
    _ = try bench.run()
    #expect(observer.visited == [.mixed, .beforeMixing])
    #expect(Set(registration.statistics.keys) == [.mixed, .beforeMixing])
  }

  /// An error even if the session has no stream there, before anything is opened.
  @Test(arguments: [
    (ObservationPosition.playback, "PlaybackObserver"), (.mixed, "MixedObserver"),
    (.beforeMixing, "BeforeMixingObserver"),
  ])
  func aPositionWithoutACallbackIsAnErrorThatNamesTheProtocol(
    position: ObservationPosition, name: String
  ) throws {
    let session = Session()
    let source = try GivenSource([0])
    try session.setLocal(source)
    try session.setSink(NullSink(), at: .publish)
    let observer = Mistaken([.record, ObservationPositions(position)])
    try session.register(observer)
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.subject == position.rawValue)
    #expect(error?.reason == "Mistaken has no callback for it")
    #expect(error?.advice == "conform to \(name) or to UniformObserver")
    #expect(observer.calls == 0 && source.calls.isEmpty)
  }

  @Test func theCallbackOfThePositionComesBeforeTheOneForAny() throws {
    let bench = try ContractSession()
    let observer = Both()
    try bench.session.register(observer)
    _ = try bench.run()
    #expect(Set(observer.events) == ["record", "any playback"])
  }

  @Test func haveTheBitsOfTheFieldsInterfaces() {
    let bits = ObservationPosition.allCases.map { ObservationPositions($0).rawValue }
    #expect(bits == [1, 2, 4, 8, 16])
    #expect(
      ObservationPosition.allCases == [.playback, .record, .mixed, .beforeMixing, .shared])
    #expect(ObservationPositions.all.rawValue == 15)
  }

  @Test func anObserverThatSaysNothingGetsPlaybackAndRecord() throws {
    let bench = try ContractSession()
    let observer = Silent()
    let generic = GenericSilent()
    let registration = try bench.session.register(observer)
    try bench.session.register(generic)
    _ = try bench.run()
    #expect(observer.visited == [.playback, .record])
    #expect(generic.visited == [.playback, .record])
    #expect(Set(registration.statistics.keys) == [.playback, .record])
  }

  @Test(arguments: 0...15)
  func onlyThePositionsOfTheMaskFire(mask: Int) throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(ObservationPositions(rawValue: mask))
    let registration = try bench.session.register(observer)
    _ = try bench.run()
    let wanted = ObservationPosition.whereOneEdits.filter { observer.positions.contains(.init($0)) }
    #expect(Set(observer.visited) == Set(wanted))
    #expect(Set(registration.parameters.keys) == Set(wanted))
  }
}
