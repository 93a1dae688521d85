// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A whole session drawn from a seed. A seed sets the sources, observers and formats, at every delivery of the samples.
struct RandomSession {
  enum Delivery {
    /// All samples that fit, at once.
    case large
    /// Pieces drawn from another seed, into sinks that take little at a time.
    case pieces(UInt64)
  }

  struct Outcome: Equatable {
    var sinks: [[UInt64]]
    var frames: [[ObservedFrame]]
  }

  struct ObservedFrame: Equatable {
    var position: ObservationPosition
    var source: String?
    var samplePosition: Int64
    var isPartial: Bool
    var samples: [UInt64]
  }

  let seed: UInt64
  let encoding: SampleEncoding

  func run(_ delivery: Delivery) throws -> Outcome {
    var draw = Draw(seed: seed)
    var cuts = Draw(seed: 0)
    if case .pieces(let seed) = delivery { cuts = Draw(seed: seed) }
    func pieces(isLive: Bool) -> [Int] {
      guard case .pieces = delivery else { return [1_000_000] }
      let sizes = (0..<cuts.number(in: 1...5)).map { _ in cuts.number(in: 1...200) }
      // A live source has no samples now and then.
      return isLive ? sizes + [500, 0] : sizes
    }

    let session = Session()
    session.time = StoppedTime()
    session.resamplerQuality = .fast
    let mixChannelCount = draw.number(in: 1...3)
    session.mixChannelCount = mixChannelCount
    if draw.chance { session.mixSampleRate = draw.rate }
    if draw.chance { session.duration = .samples(Int64(draw.number(in: 0...3_000))) }
    func source() throws -> any AudioSource {
      let channels = draw.number(in: 1...3)
      let length = draw.element([0, 1, 300, 1_500]) * channels
      let isLive = draw.number(in: 0...3) == 0
      let base = try GivenSource(
        Noise.integers(length, seed: draw.next(), bits: 20), rate: draw.rate, channels: channels,
        encoding: encoding, isLive: isLive, pieces: pieces(isLive: isLive))
      guard draw.chance else { return base }
      return TrimmedSource(
        base, start: .samples(Int64(draw.number(in: 0...50))),
        duration: draw.chance ? .samples(700) : nil)
    }
    let hasLocal = draw.chance
    if hasLocal { try session.setLocal(try source()) }
    for _ in 0..<draw.number(in: 1...3) {
      let entry = MixEntry(
        gain: draw.element([1, 0.3]), pan: mixChannelCount == 2 ? draw.element([0, -0.7]) : 0,
        offset: .samples(Int64(draw.element([0, 0, 123, 900]))))
      try session.addRemote(try source(), entry: entry)
    }
    let observers = (0..<draw.number(in: 0...3)).map { _ in draw.observer() }
    // An observer at record alone would be an error without a local source.
    for observer in observers where hasLocal || observer.positions != .record {
      try session.register(observer)
    }

    let sinks = try [SinkPlace.playback, .mixed].map { place in
      let sink = CollectingSink()
      sink.isLive = draw.number(in: 0...3) == 0
      if draw.chance {
        sink.wanted = try StreamFormat(
          sampleRate: draw.rate, channelCount: draw.number(in: 1...3))
      }
      if case .pieces = delivery { sink.room = cuts.number(in: 1...150) }
      try session.setSink(sink, at: place)
      return sink
    }
    _ = try session.run()
    return Outcome(
      sinks: sinks.map { $0.samples.map { $0.bitPattern } },
      frames: observers.map { Self.frames(of: $0) })
  }

  /// Returns the frames in the order of each stream; streams of several sources interleave in the order of their calls.
  private static func frames(of observer: any AudioObserver) -> [ObservedFrame] {
    func frames<Sample: FrameSample & BinaryFloatingPoint>(
      _ observer: RecordingObserver<Sample>
    ) -> [ObservedFrame] {
      zip(observer.frames, observer.visited).map { frame, position in
        ObservedFrame(
          position: position, source: frame.source?.description,
          samplePosition: frame.samplePosition, isPartial: frame.isPartial,
          samples: frame.samples.map { Double($0).bitPattern })
      }.sorted {
        ($0.position.rawValue, $0.source ?? "", $0.samplePosition)
          < ($1.position.rawValue, $1.source ?? "", $1.samplePosition)
      }
    }
    if let observer = observer as? RecordingObserver<Float> { return frames(observer) }
    if let observer = observer as? RecordingObserver<Double> { return frames(observer) }
    return []
  }
}

extension Draw {
  /// Draws an observer whose edit depends on the cuts between frames.
  mutating func observer() -> any AudioObserver {
    let channels = number(in: 1...3)
    let parameters = FrameParameters(
      sampleRate: chance ? rate : nil, channelCount: channels,
      mode: element(ObserverMode.allCases), samplesPerCall: number(in: 120...700) * channels)
    let positions = ObservationPositions(rawValue: number(in: 1...15))
    let answer = number(in: 0...3) > 0
    if chance {
      return RecordingObserver<Float>(positions, parameters, answer: answer) { reverse(&$0) }
    }
    return RecordingObserver<Double>(positions, parameters, answer: answer) { reverse(&$0) }
  }
}

private func reverse<Sample>(_ samples: inout MutableSpan<Sample>) {
  for index in 0..<samples.count / 2 { samples.swapAt(index, samples.count - 1 - index) }
}
