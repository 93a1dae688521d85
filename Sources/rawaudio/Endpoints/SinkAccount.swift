// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The account of an output's sink: what it wrote, and what it lost. Most members may be asked only after the session.
protocol SinkAccount {
  /// Samples that were beyond full scale and saturated.
  var clippedSamples: Int { get }
  var notANumberSamples: Int { get }
  /// The metadata that is not in the file.
  var metadataOmissions: [Metadata.Omission] { get }
  /// The format of the file. Nil without a file of our own.
  var soundFileFormat: FileFormat? { get }
  /// The encoding of the samples in the file or in the digest. Nil if there is neither.
  var writtenEncoding: SampleEncoding? { get }
  /// The MD5 of the samples. Nil if it was not asked for.
  var sampleDigest: [UInt8]? { get }
  /// The samples, over all channels, that a pipe gets in one write. Nil if they go out as they come.
  var samplesPerPiece: Int? { get }
  var isInParts: Bool { get }
  /// Whether a recording got no sample: a new file is gone, and an old one is as it was.
  var leftNoFile: Bool { get }
  /// The file that ffmpeg writes. Nil for any other sink.
  var encodedFile: EncodedFileSink? { get }

  /// The container and the codec of a file that ffmpeg writes. Nil for any other sink.
  var foreignFormat: (container: String, codec: String)? { get }

  /// Notes about the written file.
  ///
  /// - Parameter name: of the output.
  func notes(of name: String) -> [String]

  /// Puts a mark into the file, if its container has marks.
  func mark(_ position: Int64, at sampleRate: Int, label: String)
}

extension SinkAccount {
  var clippedSamples: Int { 0 }
  var notANumberSamples: Int { 0 }
  var metadataOmissions: [Metadata.Omission] { [] }
  var soundFileFormat: FileFormat? { nil }
  var writtenEncoding: SampleEncoding? { soundFileFormat?.encoding }
  var sampleDigest: [UInt8]? { nil }
  var samplesPerPiece: Int? { nil }
  var isInParts: Bool { false }
  var leftNoFile: Bool { false }
  var encodedFile: EncodedFileSink? { nil }
  var foreignFormat: (container: String, codec: String)? {
    encodedFile.map { ($0.container.name, $0.container.codec) }
  }
  func notes(of name: String) -> [String] { [] }
  func mark(_ position: Int64, at sampleRate: Int, label: String) {}
}

extension SoundFileSink: SinkAccount {
  var soundFileFormat: FileFormat? { fileFormat }
  var samplesPerPiece: Int? { writesPieces ? samplesPerWrite : nil }
}

extension SplittingSink: SinkAccount {
  var soundFileFormat: FileFormat? { fileFormat }
  var isInParts: Bool { true }
}

extension EncodedFileSink: SinkAccount {
  var encodedFile: EncodedFileSink? { self }
}

extension DigestSink: SinkAccount {
  var writtenEncoding: SampleEncoding? { encoding }
}

/// The account of a device.
struct LiveAccount: SinkAccount {
  let device: any LiveSink

  var clippedSamples: Int { Int(device.statistics.clippedSamples) }
  var notANumberSamples: Int { Int(device.statistics.notANumberSamples) }
}

/// The accounts of the file, or the parts, of each channel.
final class ChannelAccounts: SinkAccount {
  /// Empty before the stream's channels are known.
  var channels: [any SinkAccount] = []

  var clippedSamples: Int { channels.reduce(0) { $0 + $1.clippedSamples } }
  var notANumberSamples: Int { channels.reduce(0) { $0 + $1.notANumberSamples } }
  var metadataOmissions: [Metadata.Omission] {
    channels.reduce(into: []) { omissions, channel in
      for omission in channel.metadataOmissions where !omissions.contains(omission) {
        omissions.append(omission)
      }
    }
  }
  var soundFileFormat: FileFormat? { channels.first?.soundFileFormat }
  var isInParts: Bool { channels.contains { $0.isInParts } }
  var leftNoFile: Bool { channels.contains { $0.leftNoFile } }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    for channel in channels { channel.mark(position, at: sampleRate, label: label) }
  }
}

/// The account of a sink that takes every sample as it is and stores none.
struct EmptyAccount: SinkAccount {}
