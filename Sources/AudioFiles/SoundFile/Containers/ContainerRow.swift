// SPDX-License-Identifier: Apache-2.0
/// The facts that the library needs about a container.
struct ContainerRow: Sendable {
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
    /// One whole channel after the other.
    case inPlanes
  }

  /// How the library's own code writes plain encodings.
  enum OwnWriting: Sendable {
    case headerless
    case wave(isAlwaysExtensible: Bool = false, isAlways64Bit: Bool = false)
  }

  /// Containers that are accepted under each other's names.
  enum ExtensionGroup: Sendable {
    case wave
    case ogg
  }

  /// libsndfile's major format; 0 for a container unknown to it.
  var major: Int
  var title: String
  /// Further names and extensions.
  var otherNames: [String] = []
  var isUsual = false
  var group: ExtensionGroup?
  /// The encoding that distinguishes the container from another one of the same format.
  var ownEncoding: SampleEncoding?
  var isReadOnly = false
  /// nil = libsndfile writes all encodings.
  var ownWriting: OwnWriting?
  /// Encodings that are not written here although libsndfile offers them.
  var refused: [SampleEncoding] = []
  /// Plain encodings whose samples do not lie one after the other. Verified per container with libsndfile 1.2.0.
  var packed: [SampleEncoding] = []
  var arrangement = Arrangement.inOneRun
  var streaming = Streaming.none
  var countsIn32Bits = false
  /// Whether a file is a row of frames, so that it needs at least one sample.
  var isFrames = false
  /// The only rates, in hertz; nil = any.
  var rates: [Int]?
  /// The rates in hertz that the header can state; nil = any.
  var statableRates: ClosedRange<Int>?
  /// The units per second of a header that states the time between samples; nil = it states a rate.
  var unitsPerSecond: Int?
  /// The chunks that may follow the samples; nil = unknown.
  var chunksBehindSamples: ChunkForm?
  /// Whether the size in the header's bytes 4 to 7 covers the pieces behind the samples, which begin at an even byte.
  var countsPiecesBehind = false
  /// The container's form of metadata; nil if this container's metadata is not read.
  var metadata: MetadataShape?
  /// Reads the channel order; nil = as in streams.
  var channels: (@Sendable (ChannelQuestion) throws(AudioError) -> ChannelAnswer)?
  /// Writes the length of a complete file if libsndfile 1.2.0 states a wrong one, or none.
  var correctHeader: (@Sendable (WrittenSamples) throws(AudioError) -> Void)?
  /// Corrects libsndfile's description of an opened file.
  var settle: (@Sendable (inout OpenedSoundFile, SettledPart) throws(AudioError) -> Void)?
}
