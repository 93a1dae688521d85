// SPDX-License-Identifier: Apache-2.0
/// The facts of a container that the library goes by. Another container is another row.
final class ContainerRow: Sendable {
  /// Which files can be written where nothing can be changed afterwards: a pipe. As measured with libsndfile 1.2.0.
  enum Streaming: Sendable, Equatable {
    case none
    /// Those that store each sample by itself.
    case plain
    case all(except: SampleEncoding?)
  }

  /// How plain samples lie behind the header.
  enum Arrangement: Sendable {
    case inOneRun
    /// In blocks, each with a header of its own.
    case inBlocks
    /// One channel behind the other.
    case inPlanes
  }

  /// How the library's own code writes plain encodings.
  enum OwnWriting: Sendable {
    case headerless
    case wave(isAlwaysExtensible: Bool = false, isAlways64Bit: Bool = false)
  }

  /// Containers that one name may stand for.
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
  /// libsndfile's major format; 0 where it does not know the container.
  let sndfileFormat: Int
  let kin: Kin?
  /// The encoding that tells it from a container of the same format.
  let ownEncoding: SampleEncoding?
  let isReadOnly: Bool
  /// nil = libsndfile writes all encodings.
  let ownWriting: OwnWriting?
  /// Encodings that libsndfile promises here and does not keep.
  let refused: [SampleEncoding]
  /// Plain encodings whose samples do not lie one after the other. Verified for each container with libsndfile 1.2.0.
  let packed: [SampleEncoding]
  let arrangement: Arrangement
  let streaming: Streaming
  let countsIn32Bits: Bool
  /// Whether a file is a row of frames, so that one without a sample is no file.
  let isFrames: Bool
  /// The only rates, in hertz; nil = any.
  let rates: [Int]?
  /// The rates in hertz that the header can state, where they are fewer than there are: most hold a smaller number.
  let statableRates: RateRange
  /// The unit of the time between samples in a header that holds that instead of a rate.
  let unitsPerSecond: Units
  /// Which chunks may stand behind the samples; nil where that is not known here.
  let chunksBehindSamples: BytesBehind.Chunks?
  /// Whether the size in the header's bytes 4 to 7 covers the pieces behind the samples, which begin at an even byte.
  let countsPiecesBehind: Bool
  /// How it carries what files have beside their samples; nil where it is not read here.
  let metadata: MetadataShape?
  /// How its channels lie; nil = as in streams.
  let channels: ChannelReading?
  /// States the length of a complete file where libsndfile 1.2.0 states a wrong one, or none.
  let correctHeader: Correction?
  /// Mends what libsndfile tells of a file that it has opened.
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
    chunksBehindSamples: BytesBehind.Chunks? = nil, countsPiecesBehind: Bool = false,
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
