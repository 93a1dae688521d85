// SPDX-License-Identifier: Apache-2.0
extension OpenedSoundFile {
  /// Finds out in which order the file has its channels, and lets them come in that of streams.
  ///
  /// libsndfile 1.2.0 hands them over as they are stored, in every container.
  ///
  /// - Parameters:
  ///   - source: the file, or what is known of a stream.
  ///   - start: where the container begins.
  ///   - end: where it ends.
  mutating func arrangeChannels(
    _ head: FileBeginning, _ source: any ByteSource, from start: Int64, to end: Int64
  ) throws(AudioError) {
    // Nobody swaps left and right.
    guard format.channelCount > 2 else { return }
    guard let find = container.row.channels else { return }
    let found = try find(
      ChannelQuestion(
        channelCount: format.channelCount, head: head, source: source, part: start..<end))
    channelLayout = found.layout
    if let order = found.order, order.channels.count == format.channelCount {
      reader = ReorderingReader(reader, order)
    }
  }
}

/// The order of a file's channels, and where they belong; nil = the usual.
typealias ChannelAnswer = (order: ChannelOrder?, layout: Metadata.ChannelLayout?)

/// Finds out how a container has its channels.
typealias ChannelReading = @Sendable (ChannelQuestion) throws(AudioError) -> ChannelAnswer

/// A file of more than two channels.
struct ChannelQuestion {
  let channelCount: Int
  let head: FileBeginning
  /// The file, or what is known of a stream.
  let source: any ByteSource
  /// Where the container is.
  let part: Range<Int64>
}

extension FileBeginning {
  /// How the channels of an Ogg file's Opus stream are to be understood; nil where it is none. RFC 7845, section 5.1.
  var opusMappingFamily: Int? {
    // A first page has one segment: 28 bytes before its packet.
    bytes.count > 46 && bytes.has("OpusHead", at: 28) ? Int(bytes[46]) : nil
  }

  /// The description of the samples of a Wave64 file, where it comes first. Source: Sony Pictures Digital,
  /// "Wave64 file format".
  var wave64Format: WaveFormat? {
    // The file's name, its size and kind are 40 bytes; a name of 16 and a size of 8 follow.
    guard bytes.has("riff", at: 0), bytes.has("fmt ", at: 40), bytes.count > 64 else { return nil }
    let size = min(Int(clamping: bytes.integer(at: 56, 8, .little)) - 24, bytes.count - 64)
    return size > 0 ? WaveFormat(Array(bytes[64..<64 + size]), .little) : nil
  }
}
