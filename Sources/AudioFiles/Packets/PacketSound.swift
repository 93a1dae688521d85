// SPDX-License-Identifier: Apache-2.0
/// The sound of a file whose packets are to be copied: its format, its length and its metadata, without a decoder.
///
/// It takes the place of a decoding source in front of the cuts of a command, and gives no sample. Session thread only.
package final class PacketSound: AudioSource {
  enum Content {
    /// Frames of MPEG audio.
    case frames(MpegStream)
    /// Pages of Ogg, and their place in the file.
    case pages(OggCodec, Range<Int64>)
    /// FLAC, its place in the file, and the MD5 of its samples.
    case blocks(Range<Int64>, digest: [UInt8])
    /// Packets in a container that ffmpeg reads.
    case other(DecodedFileInformation)
  }

  /// The path of the file.
  package let path: String
  /// The moving pictures whose sound it is, as a path. Nil if there are none.
  package private(set) var video: String?
  /// The silence that keeps the sound in sync with pictures that begin earlier, in samples per channel.
  package private(set) var silenceInFront: Int64 = 0
  /// ffmpeg's name of the codec.
  package let codec: String
  let content: Content
  let file: FileDescriptor
  /// The samples per channel of each packet in a container that ffmpeg reads; nil if they differ, or are unknown.
  private(set) var samplesPerPacket: Int64?
  private let description: SourceDescription
  private let found: Metadata

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: of a regular file.
  ///   - track: the sound track to copy.
  /// - Throws: `unsupported` with the reason why its packets cannot be copied, and the errors of
  ///   ``FileSource/initialize(proposing:wakeup:)``.
  package init(
    path: String, track: SoundTrack, for target: PacketTarget, decoder: FileDecoder, wakeup: Wakeup
  ) throws(AudioError) {
    self.path = path
    let file = try FileDescriptor(reading: path, wakeup: wakeup)
    guard file.isRegular else { throw Self.refusal(of: path, "it is no regular file") }
    try file.claim(.read, of: wakeup)
    let opened: OpenedSoundFile
    do throws(AudioError) {
      if decoder == .ffmpeg { throw FileBeginning([], named: path).unrecognised }
      opened = try OpenedSoundFile(file, as: nil, headerless: nil)
    } catch {
      func decoded() throws(AudioError) -> DecodedFileInformation {
        try DecodedFileInformation(path: path, named: path, wakeup: wakeup, track: track)
      }
      let information =
        decoder == .ffmpeg
        ? try decoded()
        : try decoder.instead(of: error, for: path, nil, isDescribed: false, decode: decoded)
      if information.endsWithin { throw Self.refusal(of: path, Self.cut) }
      if information.videoCount > 0 { video = path }
      silenceInFront = information.silenceInFront
      codec = information.codecName
      samplesPerPacket = information.samplesPerPacket
      var times: PacketTimes?
      if target.takes(codec, isUsual: false), !target.keepsTimes(of: information),
        SoundGaps.stamped.contains(information.demuxer)
      {
        times = try PacketTimes(of: information, in: path, wakeup)
      }
      if let times, let size = samplesPerPacket {
        if times.haveGap(length: { _ in Double(size) / Double(information.format.sampleRate) }) {
          throw Self.refusal(of: path, Self.gap)
        }
        if !times.areSteady(of: size, at: information.format.sampleRate) { samplesPerPacket = nil }
      }
      found = try information.metadataWithPictures(of: path, wakeup: wakeup)
      guard case .own = target, target.takes(codec, isUsual: false) else {
        self.file = file
        content = .other(information)
        description = SourceDescription(
          format: information.format, encoding: information.usualEncoding,
          samplesPerChannel: information.statedSamplesPerChannel)
        return
      }
      if information.demuxer == "mov", codec == "mp3" {
        throw Self.refusal(of: path, "an edit list hides its first samples")
      }
      self.file = try PacketSpool.file(with: information, times, of: path, wakeup)
      let spooled = try OpenedSoundFile(self.file, as: nil, headerless: nil)
      content = try Self.content(of: spooled, in: self.file)
      description = Self.description(of: spooled)
      return
    }
    self.file = file
    try track.requireOnly(in: path)
    if opened.links != nil { throw Self.refusal(of: path, "it holds several streams in a row") }
    if Truncation(of: opened, holding: opened.samplesPerChannel) != nil {
      throw Self.refusal(of: path, Self.cut)
    }
    content = try Self.content(of: opened, in: file)
    codec = opened.container == .flac ? "flac" : opened.encoding.rawValue
    description = Self.description(of: opened)
    found = try opened.metadata()
  }

  private static func description(of file: OpenedSoundFile) -> SourceDescription {
    SourceDescription(
      format: file.format, encoding: file.encoding, samplesPerChannel: file.samplesPerChannel)
  }

  private static let cut = "it ends within its stream"
  static let gap = "sound is missing in it"

  /// - Parameter kind: `unsupported` if its packets might be copied otherwise.
  static func refusal(
    of path: String, _ reason: String, _ kind: AudioError.Kind = .unsupported
  ) -> AudioError {
    AudioError(kind, cannot: "copy the packets of", path, because: reason)
  }

  private static func content(
    of opened: OpenedSoundFile, in file: FileDescriptor
  ) throws(AudioError) -> Content {
    let window = try FileWindow(of: file, 0..<file.size())
    switch opened.container {
    case .mp3:
      let start = try SurroundingTags.end(ofTagsIn: window)
      if let stream = try MpegStream(in: window, from: start, searching: true) {
        return .frames(stream)
      }
    case .ogg, .opus:
      if let place = opened.place {
        let head = try window.bytes(FileBeginning.length, at: place.samples.lowerBound)
        if let codec = OggCodec(Array(head.dropFirst(28))), codec.headerCount != nil {
          return .pages(codec, place.samples)
        }
      }
    case .flac:
      if let place = opened.place, let (range, digest) = try blocks(in: window, from: place.start) {
        return .blocks(range, digest: digest)
      }
    default: break
    }
    throw refusal(
      of: file.name, "\(opened.encoding.rawValue) in \(opened.container.rawValue) is decoded here",
      .unrecognised)
  }

  /// The place of a FLAC file that states its true length and the MD5 of its samples; nil if it does not. Source: RFC 9639,
  /// section 8.2.
  private static func blocks(
    in window: FileWindow, from start: Int64
  ) throws(AudioError) -> (Range<Int64>, digest: [UInt8])? {
    let range = start..<(try SurroundingTags.start(ofTagsIn: window, behind: start))
    guard let total = try FlacTotal(in: window, range), total.stated > 0,
      total.actual == total.stated
    else { return nil }
    let digest = try window.bytes(16, at: start + 26)
    return digest.contains { $0 != 0 } ? (range, digest) : nil
  }

  /// The MD5 of the samples, if the file states it.
  package var digest: [UInt8]? { if case .blocks(_, let digest) = content { digest } else { nil } }

  /// How the samples are stored.
  package var encoding: SampleEncoding { description.encoding }

  // MARK: The source of a session

  package func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription { description }

  package func metadata() throws(AudioError) -> Metadata? {
    var metadata = found
    metadata.sampleRate = description.format.sampleRate
    metadata.channelCount = description.format.channelCount
    return metadata
  }

  package func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool { true }

  package func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus { .ended }

  package func stop() {}
  package func dispose() {}
}
