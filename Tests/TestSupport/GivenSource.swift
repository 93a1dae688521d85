// SPDX-License-Identifier: Apache-2.0
/// A source of given samples that records its life, and can fail, wait and deliver pieces of any size.
package final class GivenSource: AudioSource {
  package enum Call: Equatable {
    case initialize
    case start
    case stop
    case dispose
  }

  private let format: StreamFormat
  private let encoding: SampleEncoding
  private let isLive: Bool
  private let pieces: [Int]
  private var samples: ArraySlice<Double>
  private var reads = 0
  package private(set) var calls: [Call] = []
  /// The error thrown by each call.
  package var failures: [Call: AudioError] = [:]
  /// The error of `read` after this many samples per channel.
  package var failingRead: (after: Int, error: AudioError)?
  private var given = 0

  /// - Parameters:
  ///   - samples: interleaved.
  ///   - pieces: samples per channel of each read, repeated; 0 = a read that answers `pending`.
  package init(
    _ samples: [Double], rate: Int = 48_000, channels: Int = 1, encoding: SampleEncoding = .f32,
    isLive: Bool = false, pieces: [Int] = [1_000_000]
  ) throws {
    format = try StreamFormat(sampleRate: rate, channelCount: channels)
    self.samples = samples[...]
    self.encoding = encoding
    self.isLive = isLive
    self.pieces = pieces
  }

  package func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    try record(.initialize)
    return SourceDescription(
      format: format, encoding: encoding,
      samplesPerChannel: Int64(samples.count / format.channelCount),
      pace: isLive ? .arrival : .unpaced)
  }

  package func start() throws(AudioError) { try record(.start) }

  package func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if let failingRead, given >= failingRead.after { throw failingRead.error }
    if samples.isEmpty { return .ended }
    let length = pieces[reads % pieces.count]
    reads += 1
    if length == 0 { return .pending }
    let count = min(length * format.channelCount, output.freeCapacity, samples.count)
    let piece = Array(samples.prefix(count))
    Sample.accept(piece.span, into: &output)
    samples = samples.dropFirst(count)
    given += count / format.channelCount
    return .ready
  }

  package func stop() { calls.append(.stop) }
  package func dispose() { calls.append(.dispose) }

  private func record(_ call: Call) throws(AudioError) {
    calls.append(call)
    if let error = failures[call] { throw error }
  }
}
