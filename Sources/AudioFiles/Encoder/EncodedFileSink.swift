// SPDX-License-Identifier: Apache-2.0
/// A file that `ffmpeg`, which must be on the PATH, encodes. Samples go to it unchanged, and its output gets its name
/// once it is complete.
///
/// Each sink has one process, which ends with `dispose`. Session thread only. The program must ignore SIGPIPE.
public final class EncodedFileSink: AudioSink {
  /// The container and its codec.
  public let container: EncodedContainer
  /// The encoding of the samples for ffmpeg.
  public let encoding: SampleEncoding
  /// The metadata of the file; may be changed until `initialize`.
  public var metadata: Metadata?
  /// The omitted parts of ``metadata`` with their reasons, known after `initialize`; of a video the parts that the new
  /// one lacks, known after `stop`.
  public private(set) var metadataOmissions: [Metadata.Omission] = []
  private let settings: EncoderSettings
  private var options: [String]
  /// The video that gets the sound; nil if the file has sound alone.
  private var video: VideoTarget?
  package var isVideo: Bool { video != nil }
  /// The converted subtitles in words: `subrip now, and were mov_text`. Known after `initialize`.
  package var subtitleConversions: [String] { video?.conversions ?? [] }
  private var written: EncodedMetadata?
  /// Whether `stop` keeps the complete file, which has no name yet. A sink whose file was refused may be initialised
  /// again. Session thread.
  package var accepts: (FileDescriptor) throws(AudioError) -> Bool = { _ in true }
  /// May be changed until `initialize`.
  package var destination: FileDestination
  private let sampleRate: Int?
  private let channelCount: Int?
  private let dither: Dither
  private var output: OutputFile?
  /// Further inputs of ffmpeg.
  private var inputs: EncodedFileInputs?
  /// The covers of the video.
  private var pictures: [FileDescriptor] = []
  private var encoder: RunningEncoder?
  /// Writes the samples into the pipe.
  private var stream: SoundFileSink?
  private var wakeup: Wakeup?
  private var hasFailed = false

  /// - Parameters:
  ///   - path: the file.
  ///   - video: a video whose other streams are copied.
  ///   - source: the stored encoding of the samples, which decides the precision of lossless codecs.
  ///   - encoding: nil = by `source`.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  ///   - dither: added before samples are rounded to integers.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - synchronization: when written data is forced onto the disk.
  /// - Throws: `unsupported`, `invalidParameter` for settings that the codec lacks.
  public init(
    path: String, _ container: EncodedContainer, into video: VideoTarget? = nil,
    for source: SampleEncoding,
    encoding: SampleEncoding? = nil, settings: EncoderSettings = EncoderSettings(),
    sampleRate: Int? = nil, channelCount: Int? = nil, dither: Dither = .none,
    overwrite: Bool = false, synchronization: FileSynchronization = .never
  ) throws(AudioError) {
    if let encoding, !container.traits.encodings.contains(encoding) || !container.isLossless {
      throw AudioError(
        .unsupported, cannot: "store \(encoding.rawValue) in", container.name,
        because: container.isLossless
          ? "it holds only \(container.traits.encodings.map(\.rawValue).joined(separator: ", "))"
          : "it holds \(container.codec)", advice: "leave the encoding out")
    }
    self.container = container
    self.video = video
    self.encoding = encoding ?? container.encoding(for: source)
    self.settings = settings
    options = try container.options(for: settings)
    destination = FileDestination(
      path: path, overwrites: overwrite, synchronization: synchronization)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.dither = dither
  }

  public var precision: SamplePrecision { encoding.precision }
  public var room: Int { .max }

  /// The number of the sound track that it writes, from 1.
  package var track: Int { video?.trackOfSound ?? 1 }

  /// The number of samples so far, over all channels, that the encoding could not hold: clipped, or infinite.
  public var clippedSamples: Int { stream?.clippedSamples ?? 0 }
  /// The number of NaN samples so far, over all channels.
  public var notANumberSamples: Int { stream?.notANumberSamples ?? 0 }
  /// The number of samples per channel written to ffmpeg so far.
  public var samplesPerChannel: Int64 { stream?.samplesPerChannel ?? 0 }

  /// The length of the sound beyond the end of the video's pictures, in seconds, known after `stop`; negative if the sound
  /// is shorter. Nil if there are no pictures, or their length is unknown.
  package private(set) var excessOverPictures: Double?

  /// - Throws: `alreadyExists`, `notFound` (the directory, or the program: then the subject is `ffmpeg`),
  ///   `unavailable`, `unsupported` (a rate or channel count beyond the codec's, or no regular file), `inputOutput`.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    self.wakeup = wakeup
    hasFailed = false
    if var video, output == nil {
      try video.leaveOut(forWriting: container, wakeup: wakeup)
      for cover in video.covers { pictures.append(try video.picture(of: cover, wakeup: wakeup)) }
      self.video = video
    }
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    try container.check(format)
    if let kept = settings.kept(for: container.coding) {
      options += try container.options(keeping: kept, for: format)
    }
    let output = try destination.open(wakeup)
    self.output = output
    guard output.descriptor.isRegular else {
      throw AudioError(
        .unsupported, cannot: "write to", output.descriptor.name,
        because: "ffmpeg writes files, and this is none")
    }
    let written = EncodedMetadata(
      metadata, in: container, format, encoding: encoding, shift: container.lost(format.sampleRate))
    metadataOmissions = video == nil ? written.omissions : []
    self.written = video == nil ? written : nil
    if video == nil { inputs = try EncodedFileInputs(of: written, for: container) }
    let encoder = try RunningEncoder(
      arguments(for: format, written, output), writing: output.descriptor.name)
    self.encoder = encoder
    let stream = SoundFileSink(
      descriptor: encoder.input.number, name: output.descriptor.name,
      format: try FileFormat(.raw, encoding, byteOrder: .little), dither: dither)
    self.stream = stream
    return try stream.initialize(proposing: format, wakeup: wakeup)
  }

  private func arguments(
    for format: StreamFormat, _ written: EncodedMetadata, _ output: OutputFile
  ) -> [Pathname] {
    // Not WAV: ffmpeg complains about a last packet that is not full at the end of a WAV stream.
    var words = [
      "-nostdin", "-v", "error", "-xerror", "-y", "-f", "\(encoding.rawValue)le", "-ar",
      "\(format.sampleRate)", "-ac", "\(format.channelCount)",
    ]
    if let mask = written.speakers ?? container.speakers(of: format.channelCount) {
      words += ["-channel_layout", "\(mask)"]
    }
    // Readers subtract the delay of Opus, 6.5 ms, but ffmpeg does not add it.
    if container.codec == "libopus", ["matroska", "webm"].contains(container.muxer) {
      words += ["-itsoffset", "0.0065"]
    }
    words += ["-i", "pipe:0"]
    var others: [Pathname] = []
    if let video {
      others = video.arguments(
        encoder: [container.codec] + options, at: format.sampleRate,
        tags: metadata?.tags ?? Metadata.Tags(), pictures: pictures, in: container)
    } else {
      others = soundArguments(for: format).map { Pathname($0) }
    }
    var last: [String] = []
    // With milliseconds, MP4's usual unit, the sound would end up to half of one too early or too late.
    if ["ipod", "mp4", "mov"].contains(container.muxer), video?.hasOtherSound != true {
      last += ["-movie_timescale", "\(format.sampleRate)"]
    }
    last += ["-fflags", "+bitexact"] + container.options
    last += ["-f", container.muxer, "file:" + output.descriptor.pathForOthers]
    return words.map { Pathname($0) } + others + last.map { Pathname($0) }
  }

  /// The arguments for a file with sound alone, with its texts and cover.
  private func soundArguments(for format: StreamFormat) -> [String] {
    var words =
      (inputs?.arguments(behind: "0:a:0") ?? []) + ["-c:a", container.codec] + options
    let lost = container.lost(format.sampleRate)
    if lost > 0 { words += ["-af", "adelay=delays=\(lost)S:all=1"] }
    return words
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let stream, let encoder, !hasFailed else {
      throw AudioError(
        .lifeCycle, cannot: "write to", destination.location.name,
        because: hasFailed ? "it failed before" : "the sink is not initialised")
    }
    guard case .readerGone = try stream.write(samples) else { return .accepted }
    hasFailed = true
    throw encoder.failure()
  }

  /// Completes the file; removes an abandoned one.
  public func stop(_ reason: StopReason) throws(AudioError) {
    guard let output, let stream, let encoder else { return }
    guard reason == .finished, !hasFailed else { return discard() }
    do throws(AudioError) {
      guard stream.samplesPerChannel > 0 else {
        throw AudioError(
          .unsupported, cannot: "write to", output.descriptor.name,
          because: "there was no sample, and no \(container.name) file is empty",
          advice: "take another container, such as flac")
      }
      try stream.stop(.finished)
      stream.dispose()
      try encoder.finish(wakeup, mayReportErrors: video != nil)
      if let video { try complete(video, output.descriptor) }
      if written?.endsWithChapter ?? false, let format = stream.format {
        try ChapterEnd.state(
          stream.samplesPerChannel, at: format.sampleRate, in: output.descriptor, container)
      }
      if var written {
        try written.verify(output.descriptor, container, wakeup)
        metadataOmissions = written.omissions
      }
      guard try accepts(output.descriptor) else { return discard() }
      try destination.commit(output)
    } catch {
      discard()
      throw error
    }
  }

  private func complete(_ video: VideoTarget, _ file: FileDescriptor) throws(AudioError) {
    metadataOmissions = try video.complete(file, container, metadata, wakeup)
    guard let pictures = video.content.pictureDuration, let format = stream?.format else { return }
    let length = Double(samplesPerChannel) / Double(format.sampleRate)
    excessOverPictures = video.delay + length - pictures
  }

  public func dispose() {
    discard()
    // The stream keeps the count of its samples.
    encoder = nil
    output = nil
    inputs = nil
    pictures = []
  }

  /// Ends ffmpeg before its output is removed. Harmless after the file has its name.
  private func discard() {
    hasFailed = true
    stream?.dispose()
    encoder?.end()
    output?.discard()
  }
}
