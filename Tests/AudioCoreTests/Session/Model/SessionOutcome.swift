// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The output of a session to its sinks and to each of its observers.
struct SessionOutcome {
  struct Frame {
    var samplePosition: Int64
    var isPartial: Bool
    var samples: [Double]
  }

  /// The stream of a source or of a sum at an observer's position.
  struct StreamName: Hashable {
    var observer: Int
    var position: ObservationPosition
    var source: SourceID?
  }

  var sinks: [SinkPlace: [Double]] = [:]
  var frames: [StreamName: [Frame]] = [:]

  /// The largest difference between samples: the model adds and rounds in another order.
  private static let tolerance = 1e-12

  /// Returns the first difference from `expected`; nil if there is none.
  func difference(from expected: SessionOutcome) -> String? {
    for place in [SinkPlace.publish, .playback, .mixed] {
      if let found = Self.difference(sinks[place] ?? [], expected.sinks[place] ?? []) {
        return "\(place): \(found)"
      }
    }
    for name in Set(frames.keys).union(expected.frames.keys) {
      let (got, wanted) = (frames[name] ?? [], expected.frames[name] ?? [])
      if got.count != wanted.count { return "\(name): \(got.count) frames, not \(wanted.count)" }
      for (index, (one, other)) in zip(got, wanted).enumerated() {
        if one.samplePosition != other.samplePosition {
          return "\(name), frame \(index): at \(one.samplePosition), not \(other.samplePosition)"
        }
        if one.isPartial != other.isPartial { return "\(name), frame \(index): \(one.isPartial)" }
        if let found = Self.difference(one.samples, other.samples) {
          return "\(name), frame \(index): \(found)"
        }
      }
    }
    return nil
  }

  private static func difference(_ samples: [Double], _ expected: [Double]) -> String? {
    if samples.count != expected.count { return "\(samples.count) samples, not \(expected.count)" }
    for (index, (one, other)) in zip(samples, expected).enumerated()
    where !(abs(one - other) <= tolerance * max(1, abs(other))) {
      return "sample \(index) is \(one), not \(other)"
    }
    return nil
  }
}

extension SessionCase {
  /// Returns whether an observer has a stream: a session without one throws.
  private func hasStream(for observer: Observer) -> Bool {
    let positions = observer.positions
    let ofLocal: ObservationPositions = local == nil || observer.source != nil ? [] : .record
    let ofRemotes: ObservationPositions = remotes.isEmpty ? [] : [.beforeMixing, .playback]
    return !positions.isDisjoint(with: ofLocal.union(ofRemotes).union(.mixed))
  }

  /// Runs the case as a session of the library.
  func run() throws -> SessionOutcome {
    let session = Session()
    session.resamplerQuality = .fast
    session.mixSampleRate = sumRate
    session.mixChannelCount = sumChannels
    if let local { try session.setLocal(local.make()) }
    for (index, remote) in remotes.enumerated() {
      try session.addRemote(
        remote.make(), id: SourceID(ordinal: index + 1),
        entry: MixEntry(
          gain: remote.gain, pan: channelsOfSum == 2 ? remote.pan : 0,
          offset: .samples(Int64(remote.offset))))
    }
    let recorders = observers.map { observer in
      RecordingObserver<Double>(observer.positions, observer.parameters, answer: observer.answer) {
        observer.edit($0.count, &$0)
      }
    }
    for (observer, recorder) in zip(observers, recorders) where hasStream(for: observer) {
      try session.register(recorder, from: observer.source.map { SourceKey(ordinal: $0 + 1) })
    }
    var sinks: [SinkPlace: CollectingSink] = [:]
    for place in [SinkPlace.publish, .playback, .mixed] where hasSink(place) {
      let sink = CollectingSink(precision: .double)
      sink.wanted = wanted[place]
      sink.room = room
      sinks[place] = sink
      try session.setSink(sink, at: place)
    }
    _ = try session.run()
    var outcome = SessionOutcome(sinks: sinks.mapValues { $0.samples })
    for (index, recorder) in recorders.enumerated() {
      for (frame, position) in zip(recorder.frames, recorder.visited) {
        let name = SessionOutcome.StreamName(
          observer: index, position: position, source: frame.source)
        outcome.frames[name, default: []].append(
          .init(
            samplePosition: frame.samplePosition, isPartial: frame.isPartial,
            samples: frame.samples))
      }
    }
    return outcome
  }

  /// Returns whether a stream leads to the sink of a place.
  func hasSink(_ place: SinkPlace) -> Bool {
    switch place {
    case .publish: local != nil
    case .playback: !remotes.isEmpty
    case .mixed: true
    case .playbackOf, .track: false
    }
  }

  var channelsOfSum: Int {
    sumChannels ?? ((local.map { [$0] } ?? []) + remotes).map(\.channels).max() ?? 1
  }

  var rateOfSum: Int {
    sumRate ?? ((local.map { [$0] } ?? []) + remotes).map(\.rate).max() ?? 1
  }
}

extension SessionCase.Observer {
  fileprivate func edit(_ count: Int, _ samples: inout MutableSpan<Double>) {
    var copy = (0..<count).map { samples[$0] }
    edit.apply(to: &copy)
    for index in 0..<count { samples[index] = copy[index] }
  }
}
