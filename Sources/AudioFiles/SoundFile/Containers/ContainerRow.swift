// SPDX-License-Identifier: Apache-2.0
/// The facts that the library needs about a container.
final class ContainerRow: Sendable {
  /// The files that can be written to a pipe, which allows no later changes. Measured with libsndfile 1.2.0.
  enum Streaming: Sendable, Equatable {
    case none
    /// Encodings that store each sample by itself.
    case plain
    case all(except: SampleEncoding?)
  }

  /// How plain samples lie behind the header.
  enum Arrangement: Sendable {
    case inOneRun
    /// In blocks, each with a header of its own.
    case inBlocks
    /// One whole channel after the other.
    case inPlanes
  }

  /// How the library's own code writes plain encodings.
  enum OwnWriting: Sendable {
    case headerless
    case wave(isAlwaysExtensible: Bool = false, isAlways64Bit: Bool = false)
  }

  /// Containers that are accepted under each other's names.
  enum Kin: Sendable {
    case wave
    case ogg
  }

  typealias RateRange = @Sendable (SampleEncoding, _ channelCount: Int) -> ClosedRange<Int>?
  typealias Units = @Sendable (SampleEncoding, _ channelCount: Int) -> Int?
  typealias Correction = @Sendable (WrittenSamples) throws(AudioError) -> Void
  typealias Settling = @Sendable (inout OpenedSoundFile, SettledPart) throws(AudioError) -> Void

  /// Further names and extensions.
  let otherNames: [String]
  let title: String
  let isUsual: Bool
  /// libsndfile's major format; 0 for a container unknown to it.
  let sndfileFormat: Int
  let kin: Kin?
  /// The encoding that distinguishes the container from another one of the same format.
  let ownEncoding: SampleEncoding?
  let isReadOnly: Bool
  /// nil = libsndfile writes all encodings.
  let ownWriting: OwnWriting?
  /// Encodings that are not written here although libsndfile offers them.
  let refused: [SampleEncoding]
  /// Plain encodings whose samples do not lie one after the other. Verified per container with libsndfile 1.2.0.
  let packed: [SampleEncoding]
  let arrangement: Arrangement
  let streaming: Streaming
  let countsIn32Bits: Bool
  /// Whether a file is a row of frames, so that it needs at least one sample.
  let isFrames: Bool
  /// The only rates, in hertz; nil = any.
  let rates: [Int]?
  /// The rates in hertz that the header can state; nil = any.
  let statableRates: RateRange
  /// The units per second of a header that states the time between samples; nil = it states a rate.
  let unitsPerSecond: Units
  /// The chunks that may follow the samples; nil = unknown.
  let chunksBehindSamples: ChunkForm?
  /// Whether the size in the header's bytes 4 to 7 covers the pieces behind the samples, which begin at an even byte.
  let countsPiecesBehind: Bool
  /// The container's form of metadata; nil if this container's metadata is not read.
  let metadata: MetadataShape?
  /// Reads the channel order; nil = as in streams.
  let channels: ChannelReading?
  /// Writes the length of a complete file if libsndfile 1.2.0 states a wrong one, or none.
  let correctHeader: Correction?
  /// Corrects libsndfile's description of an opened file.
  let settle: Settling?

  init(
    _ sndfileFormat: Int, title: String, otherNames: [String] = [], isUsual: Bool = false,
    kin: Kin? = nil, ownEncoding: SampleEncoding? = nil, isReadOnly: Bool = false,
    ownWriting: OwnWriting? = nil,
    refused: [SampleEncoding] = [], packed: [SampleEncoding] = [],
    arrangement: Arrangement = .inOneRun, streaming: Streaming = .none,
    countsIn32Bits: Bool = false, isFrames: Bool = false,
    rates: [Int]? = nil, statableRates: @escaping RateRange = { _, _ in nil },
    unitsPerSecond: @escaping Units = { _, _ in nil },
    chunksBehindSamples: ChunkForm? = nil, countsPiecesBehind: Bool = false,
    metadata: MetadataShape? = nil, channels: ChannelReading? = nil,
    correctHeader: Correction? = nil, settle: Settling? = nil
  ) {
    self.otherNames = otherNames
    self.title = title
    self.isUsual = isUsual
    self.sndfileFormat = sndfileFormat
    self.kin = kin
    self.ownEncoding = ownEncoding
    self.isReadOnly = isReadOnly
    self.ownWriting = ownWriting
    self.refused = refused
    self.packed = packed
    self.arrangement = arrangement
    self.streaming = streaming
    self.countsIn32Bits = countsIn32Bits
    self.isFrames = isFrames
    self.rates = rates
    self.statableRates = statableRates
    self.unitsPerSecond = unitsPerSecond
    self.chunksBehindSamples = chunksBehindSamples
    self.countsPiecesBehind = countsPiecesBehind
    self.metadata = metadata
    self.channels = channels
    self.correctHeader = correctHeader
    self.settle = settle
  }
}
