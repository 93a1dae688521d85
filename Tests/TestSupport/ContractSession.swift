// SPDX-License-Identifier: Apache-2.0
/// A session with all four positions and all three sinks: a local source and two remote ones.
package struct ContractSession {
  package let session = Session()
  package let sinks: [CollectingSink]

  /// - Parameter length: the samples per channel of each source, at `rate`.
  package init(rate: Int = 8_000, channels: Int = 1, length: Int = 1_000, isLive: Bool = false)
    throws
  {
    func source(_ seed: UInt64) throws -> GivenSource {
      // An eighth of full scale: no sum clips or rounds.
      let samples = Noise.integers(length * channels, seed: seed).map { $0 / 8 }
      return try GivenSource(
        samples, rate: rate, channels: channels, encoding: .s16, isLive: isLive, pieces: [700, 33])
    }
    session.resamplerQuality = .fast
    try session.setLocal(try source(1))
    try session.addRemote(try source(2), group: SourceID("room"))
    try session.addRemote(try source(3))
    sinks = [SinkPlace.publish, .playback, .mixed].map { _ in CollectingSink() }
    for (place, sink) in zip([SinkPlace.publish, .playback, .mixed], sinks) {
      try session.setSink(sink, at: place)
    }
  }

  /// Runs the session and returns the samples of publish, playback and mixed.
  package func run() throws -> [[Double]] {
    _ = try session.run()
    return sinks.map { $0.samples }
  }
}

extension ObservationPositions {
  package static let all: ObservationPositions = [.playback, .record, .mixed, .beforeMixing]
}

/// The rates and lengths of the contract's examples.
package enum ContractShapes {
  package static let rates = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]

  /// Returns the samples per channel in 10 ms, 11.61 ms (512 at 44.1 kHz), 64 ms, 100 ms and 1 s.
  package static func lengths(at rate: Int) -> [Int] {
    [(rate + 99) / 100, (rate * 512 + 44_099) / 44_100, rate * 64 / 1_000, rate / 10, rate]
  }
}

extension ObservationPosition {
  /// The positions of the contract at which an observer may edit.
  package static let whereOneEdits: [ObservationPosition] = [
    .playback, .record, .mixed, .beforeMixing,
  ]
}
