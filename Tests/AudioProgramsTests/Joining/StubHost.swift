// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import AudioPrograms

/// A session that only keeps a listener's requests; the test reads the sources.
final class StubHost: JoiningHost {
  private let lock = Mutex(())
  /// Accessed only within `lock`.
  private nonisolated(unsafe) var joined: [(key: SourceKey, source: JoinedSource)] = []
  private let told = Mutex<[String]>([])
  let wakeup = Wakeup()

  func add(_ source: sending JoinedSource, _ request: JoinRequest) throws(AudioError) {
    tell("add \(request.key)")
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    source.isPaced = false
    nonisolated(unsafe) let source = source
    let isTaken = lock.withLock { _ in
      if unsafe joined.contains(where: { $0.key == request.key }) { return true }
      unsafe joined.append((request.key, source))
      return false
    }
    if isTaken {
      throw AudioError(
        .invalidParameter, cannot: "add source", request.key.description, because: "the id is taken"
      )
    }
  }

  func remove(_ id: SourceKey, draining: Bool) throws(AudioError) {
    tell("remove \(id)\(draining ? " draining" : "")")
    lock.withLock { _ in
      for (other, source) in unsafe joined where other == id { source.stop() }
      unsafe joined.removeAll { $0.key == id }
    }
  }

  func setGain(_ gain: Double, of id: SourceKey) throws(AudioError) { tell("gain \(id) \(gain)") }

  func set(_ mute: ControlCommand.Mute, of id: SourceKey) throws(AudioError) {
    tell("mute \(id) \(mute)")
  }

  func format(at position: ObservationPosition, of source: SourceKey?) -> StreamFormat? { nil }

  func requireStreams(at position: ObservationPosition) throws(AudioError) {}

  func register(
    _ observer: sending any AudioObserver, as request: ObserveRequest
  ) throws(AudioError) -> ObserverRegistration {
    tell("register")
    return try Session().register(observer, from: request.source)
  }

  func status() -> [(name: String, value: JSONValue)] { [("sources", .array([]))] }

  func sources(at position: ObservationPosition) -> [SourceKey] {
    lock.withLock { _ in unsafe joined.map(\.key) }
  }

  func split() throws(AudioError) {
    throw AudioError(.unsupported, cannot: "split", "", because: "nothing is split here")
  }

  func stop() { tell("stop") }

  private func tell(_ what: String) { told.withLock { $0.append(what) } }

  /// The requests, in order.
  var requests: [String] { told.withLock { $0 } }

  /// Waits for a source's next samples, `count` at most; nil at its end.
  func read(_ name: String, _ count: Int = 1 << 16) -> [Float]? {
    while true {
      var status = SourceStatus.pending
      let samples = lock.withLock { _ -> [Float] in
        guard let source = unsafe joined.first(where: { $0.key.description == name })?.source
        else { return [] }
        return
          (try? [Float](capacity: count) { output throws(AudioError) in
            status = try source.read(into: &output)
            if status == .ended { source.dispose() }
          }) ?? []
      }
      switch status {
      case .ready: return samples
      case .ended: return nil
      case .pending: wakeup.wait(atMost: .milliseconds(100))
      }
    }
  }

  /// Returns all samples of a source.
  func readAll(_ name: String) -> [Float] {
    var samples: [Float] = []
    while let more = read(name) { samples += more }
    return samples
  }
}
