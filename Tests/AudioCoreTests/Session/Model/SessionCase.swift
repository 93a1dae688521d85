// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A session as a value, for the engine to run and for the reference model to compute.
///
/// Every value of every field is legal, so a failing case can be shrunk field by field.
struct SessionCase: Equatable {
  struct Source: Equatable {
    var rate = 8_000
    var channels = 1
    /// Samples per channel.
    var length = 100
    var noise: UInt64 = 1
    var isTrimmed = false
    // Remote sources only.
    var gain = 1.0
    var pan = 0.0
    /// At the rate of the sum.
    var offset = 0
    /// The samples per channel of each read.
    var pieces = [1_000_000]
  }

  enum Edit: CaseIterable, Equatable {
    case none, reverse, scale, shift
  }

  struct Observer: Equatable {
    var positions = ObservationPositions.record
    var rate: Int?
    var channels: Int?
    /// Samples per channel; if set, the observer sets rate and channels too.
    var frameLength: Int?
    var mode = ObserverMode.readOnly
    var edit = Edit.none
    var answer = true
    /// The remote source it observes, from 0; nil = all.
    var source: Int?
  }

  var local: Source?
  var remotes: [Source] = []
  var observers: [Observer] = []
  var sumRate: Int?
  var sumChannels: Int?
  /// The format that each sink requests; nil = any format.
  var wanted: [SinkPlace: StreamFormat] = [:]
  /// The samples per channel that each sink takes at a time.
  var room = Int.max
}

extension SessionCase.Source {
  /// The source's samples, interleaved.
  var samples: [Double] {
    let all = Noise.integers(length * channels, seed: noise, bits: 20)
    return isTrimmed ? Array(all.dropFirst(trim * channels).dropLast(trim * channels)) : all
  }

  /// The samples per channel trimmed at either end.
  private var trim: Int { length / 5 }

  func make() throws -> any AudioSource {
    let all = Noise.integers(length * channels, seed: noise, bits: 20)
    let base = try GivenSource(
      all, rate: rate, channels: channels, encoding: .s24, pieces: pieces)
    if !isTrimmed { return base }
    return TrimmedSource(
      base, start: .samples(Int64(trim)), duration: .samples(Int64(length - 2 * trim)))
  }
}

extension SessionCase.Observer {
  var parameters: FrameParameters {
    guard let frameLength else {
      return FrameParameters(sampleRate: rate, channelCount: channels, mode: mode)
    }
    let (rate, channels) = (rate ?? 8_000, channels ?? 1)
    return FrameParameters(
      sampleRate: rate, channelCount: channels, mode: mode,
      samplesPerCall: max(frameLength, (rate + 99) / 100) * channels)
  }
}

extension SessionCase.Edit {
  /// Edits a frame; the result depends on the cuts between frames.
  func apply(to samples: inout [Double]) {
    switch self {
    case .none: break
    case .reverse: samples.reverse()
    case .scale: samples = samples.map { $0 * -0.5 }
    case .shift: samples = samples.map { $0 + 0.25 }
    }
  }
}

extension SessionCase {
  /// Draws a case.
  init(seed: UInt64) {
    var draw = Draw(seed: seed)
    if draw.chance { local = Source(&draw) }
    remotes = (0..<draw.number(in: local == nil ? 1...3 : 0...3)).map { _ in Source(&draw) }
    observers = (0..<draw.number(in: 0...4)).map { _ in Observer(&draw, remotes.count) }
    if draw.chance { sumRate = draw.rate }
    if draw.chance { sumChannels = draw.number(in: 1...3) }
    for place in [SinkPlace.publish, .playback, .mixed] where draw.chance {
      wanted[place] = try? StreamFormat(
        sampleRate: draw.rate, channelCount: draw.number(in: 1...3))
    }
    if draw.chance { room = draw.number(in: 1...300) }
  }
}

extension SessionCase.Source {
  fileprivate init(_ draw: inout Draw) {
    rate = draw.rate
    channels = draw.number(in: 1...3)
    length = draw.element([0, 1, 2, 79, 80, 81, 400, 1_500])
    noise = draw.next()
    isTrimmed = draw.number(in: 0...3) == 0
    gain = draw.element([1, 1, 0.3, -2])
    pan = draw.element([0, 0, -0.7, 1])
    offset = draw.element([0, 0, 0, 1, 123, 900])
    if draw.chance {
      pieces = (0..<draw.number(in: 1...4)).map { _ in draw.number(in: 0...250) } + [1]
    }
  }
}

extension SessionCase.Observer {
  fileprivate init(_ draw: inout Draw, _ remoteCount: Int) {
    positions = ObservationPositions(rawValue: draw.number(in: 1...15))
    if draw.chance { rate = draw.rate }
    if draw.chance { channels = draw.number(in: 1...3) }
    if draw.chance { frameLength = draw.number(in: 40...700) }
    mode = draw.element(ObserverMode.allCases)
    edit = draw.element(SessionCase.Edit.allCases)
    answer = draw.number(in: 0...3) > 0
    if remoteCount > 0, draw.number(in: 0...3) == 0 {
      source = draw.number(in: 0...remoteCount - 1)
    }
  }
}
