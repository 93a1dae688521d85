import AudioCore
import Testing

/// Point 1: positions.
@Suite struct PositionTests {
  /// Says nothing about where it wants to be called.
  private final class Silent: AudioFrameObserver {
    var visited: Set<ObservationPosition> = []
    func record(_ frame: inout AudioFrame<Float>) -> Bool { visit(.record) }
    func playback(_ frame: inout AudioFrame<Float>) -> Bool { visit(.playback) }
    func mixed(_ frame: inout AudioFrame<Float>) -> Bool { visit(.mixed) }
    func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceID) -> Bool {
      visit(.beforeMixing)
    }
    private func visit(_ position: ObservationPosition) -> Bool {
      visited.insert(position)
      return true
    }
  }

  @Test func haveTheBitsOfTheFieldsInterfaces() {
    let bits = ObservationPosition.allCases.map { ObservationPositions($0).rawValue }
    #expect(bits == [1 << 0, 1 << 1, 1 << 2, 1 << 3])
    #expect(ObservationPosition.allCases == [.playback, .record, .mixed, .beforeMixing])
    #expect(ObservationPositions.all.rawValue == 15)
  }

  @Test func anObserverThatSaysNothingGetsPlaybackAndRecord() throws {
    let bench = try ContractSession()
    let observer = Silent()
    let registration = try bench.session.register(observer)
    _ = try bench.run()
    #expect(observer.visited == [.playback, .record])
    #expect(Set(registration.statistics.keys) == [.playback, .record])
  }

  @Test(arguments: 0...15)
  func onlyThePositionsOfTheMaskFire(mask: Int) throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(ObservationPositions(rawValue: mask))
    let registration = try bench.session.register(observer)
    _ = try bench.run()
    let wanted = ObservationPosition.allCases.filter { observer.positions.contains(.init($0)) }
    #expect(Set(observer.visited) == Set(wanted))
    #expect(Set(registration.parameters.keys) == Set(wanted))
  }
}
