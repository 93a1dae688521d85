// SPDX-License-Identifier: Apache-2.0
/// A file that `ffmpeg`, which must be on the PATH, decodes: one of its sound tracks, in the decoder's format. Neither
/// the rate nor the channels are converted, and no sample is rounded.
///
/// Each source has one process, which ends with `dispose`. Session thread only.
package final class DecodedFileSource: AudioSource {
  private let path: String
  /// The file's name in errors.
  private let name: String
  /// The file behind `path` if it has no name of its own.
  private let held: FileDescriptor?
  /// The sound track to decode; may be changed until `initialize`.
  package var track: SoundTrack = 1
  /// The file, claimed while it is decoded.
  private var file: FileDescriptor?
  private var decoder: RunningDecoder?

  /// ffmpeg's report on the file; nil before `initialize`.
  package private(set) var information: DecodedFileInformation?
  /// The gaps in the sound, filled with silence; nil before `initialize`.
  package private(set) var gaps: SoundGaps?
  /// The silence that is read next, in samples per channel.
  private var silence: Int64 = 0
  /// The position of the next sample, in samples per channel.
  private var position: Int64 = 0
  /// The metadata with the pictures, once it was asked for.
  private var pictured: Metadata?
  /// The missing length of a file that is shorter than it states, known once `read` has returned `ended`. It is set if
  /// ffmpeg met an error and gave fewer samples than stated, or if the file ends within an element of its container.
  package private(set) var truncation: Truncation?
  /// The first error that ffmpeg reported and survived; nil before the end or without one.
  package private(set) var errorLine: String?

  /// - Parameter path: a regular file.
  package init(path: String) {
    self.path = path
    name = path
    held = nil
  }

  /// - Parameter held: a regular file that other processes can reach while it is open here.
  init(_ held: FileDescriptor) {
    path = held.pathForOthers
    name = held.name
    self.held = held
  }

  /// - Throws: the error of ``DecodedFileInformation/init(path:)``; `unsupported` if it is not a regular file.
  package func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let file = try FileDescriptor(reading: path, wakeup: wakeup)
    guard file.isRegular else {
      throw AudioError(
        .unsupported, cannot: "decode", name, because: "ffmpeg decodes files, and this is none",
        advice: "save it to a file first")
    }
    try file.claim(.read, of: wakeup)
    self.file = file
    let information = try DecodedFileInformation(
      path: path, named: name, wakeup: wakeup, track: track)
    self.information = information
    let decoder = try RunningDecoder(path: path, named: name, information)
    let gaps = SoundGaps(of: path, information, decoder.errors, wakeup)
    if decoder.printsGaps || information.end != nil {
      decoder.source.barrier = { gaps.barrier() }
    }
    self.gaps = gaps
    silence = information.silenceInFront
    if held != nil { decoder.source.ending = .withStream }
    self.decoder = decoder
    var description: SourceDescription
    do {
      description = try decoder.source.initialize(proposing: proposal, wakeup: wakeup)
    } catch {
      // If ffmpeg wrote nothing, the way it ended is the reason.
      if error.kind != .interrupted { try decoder.conclude() }
      throw error
    }
    description.encoding = information.usualEncoding
    return description
  }

  /// The texts and pictures of the file, and the channel layout that ffmpeg gives.
  package func metadata() throws(AudioError) -> Metadata? {
    guard let stream = try decoder?.source.metadata(), let information else { return nil }
    var metadata: Metadata
    if let pictured {
      metadata = pictured
    } else {
      metadata = try information.metadataWithPictures(of: path, wakeup: file?.wakeup)
      pictured = metadata
    }
    (metadata.sampleRate, metadata.channelCount) = (stream.sampleRate, stream.channelCount)
    metadata.encoding = stream.encoding
    // ffmpeg writes no loudspeakers if it knows none.
    metadata.channelLayout = stream.channelLayout == .discrete ? nil : stream.channelLayout
    return metadata
  }

  /// The coding of the track; nil if it is lossless, or its bit rate is unknown.
  func lossyCoding() throws(AudioError) -> LossyCoding? {
    try information?.coded.lossyCoding(wakeup: file?.wakeup)
  }

  package func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let decoder, let channelCount = information?.format.channelCount else {
      throw notInitialized
    }
    let before = output.count
    while silence == 0 {
      let status = try decoder.source.read(into: &output)
      position += Int64((output.count - before) / channelCount)
      if case .ended = status { try conclude(decoder) }
      if status != .ready || output.count > before { return status }
      try passBarrier(of: decoder)
    }
    let count = min(silence, Int64(output.freeCapacity / channelCount))
    output.append(repeating: 0, count: Int(count) * channelCount)
    silence -= count
    position += count
    return .ready
  }

  package func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool {
    guard let decoder else { throw notInitialized }
    var rest = count
    while rest > 0 {
      let silent = min(silence, rest)
      let start = decoder.source.position
      if silent == 0 {
        _ = try decoder.source.skip(samplesPerChannel: rest)
        if decoder.source.position == start {
          guard !decoder.source.hasEnded else { break }
          try passBarrier(of: decoder)
        }
      }
      let skipped = silent + decoder.source.position - start
      silence -= silent
      position += skipped
      rest -= skipped
    }
    return true
  }

  /// Goes on where the decoded samples stop: at a gap, or at the end that the file states.
  private func passBarrier(of decoder: RunningDecoder) throws(AudioError) {
    let place = decoder.source.position
    silence = try gaps?.takeSilence(at: place) ?? 0
    guard silence == 0, let gaps, gaps.barrier() <= place else { return }
    // ffmpeg gives its last samples to no one else.
    decoder.source.barrier = nil
    _ = try decoder.source.skip(samplesPerChannel: .max)
  }

  package func stop() {}

  package func dispose() {
    decoder?.end()
    decoder = nil
    file = nil
  }

  private var notInitialized: AudioError {
    AudioError(.lifeCycle, cannot: "read", name, because: "the source is not initialised")
  }

  /// Checks how the samples ended, and sets ``truncation`` and ``errorLine``.
  private func conclude(_ decoder: RunningDecoder) throws(AudioError) {
    try decoder.conclude()
    errorLine = decoder.errors.first
    guard truncation == nil, let information else { return }
    guard position > 0 || information.statedSamplesPerChannel == 0 else {
      throw AudioError(
        .malformed, cannot: "decode", name,
        because: errorLine.map { "ffmpeg gives no sample of it: \($0)" }
          ?? "ffmpeg gives no sample of it")
    }
    let stated = (information.statedSamplesPerChannel ?? 0) + information.silenceInFront
    let endsWithin =
      information.endsWithin || decoder.errors.contains(oneOf: FileEnd.errors)
    if endsWithin || errorLine != nil, position < stated {
      truncation = Truncation(
        claimedSamplesPerChannel: stated, actualSamplesPerChannel: position)
    } else if endsWithin {
      truncation = Truncation(
        claimedSamplesPerChannel: position + 1, actualSamplesPerChannel: position)
      truncation?.statesLength = false
    }
  }
}

/// An `ffmpeg` that writes a WAV stream into a pipe.
private final class RunningDecoder {
  let source: SoundFileSource
  let errors: ErrorLines
  let printsGaps: Bool
  private let name: String
  private let child: ChildProcess
  private let output: PipeEnd

  init(
    path: String, named name: String, _ information: DecodedFileInformation
  ) throws(AudioError) {
    self.name = name
    let filter = SoundGaps.filter(for: information.demuxer, information.codecName)
    printsGaps = filter != nil
    // A gap takes a hundred bytes.
    errors = try ErrorLines(of: FFmpeg.program, length: printsGaps ? 1 << 20 : 4_096)
    let pipe = try PipeEnd.pipe()
    output = pipe.reading
    child = try FFmpeg.start(
      FFmpeg.program, Self.arguments(for: path, information, filter), output: pipe.writing,
      errors: errors)
    source = SoundFileSource(descriptor: output.number, name: name, container: .wav)
    source.ending = .atOnce
  }

  /// The arguments of ffmpeg. The demuxer is the one that ffprobe found, and no file that the input refers to is
  /// opened. Texts are left out: a WAV stream has names for few of them.
  private static func arguments(
    for path: String, _ information: DecodedFileInformation, _ filter: String?
  ) -> [Pathname] {
    let encoding = information.encoding
    let codec = encoding == .u8 ? "pcm_u8" : "pcm_\(encoding.rawValue)le"
    let output =
      ["-map", "0:a:\(information.track - 1)"] + (filter.map { ["-af", $0] } ?? []) + [
        "-map_metadata", "-1", "-c:a", codec, "-fflags", "+bitexact", "-f", "wav", "pipe:1",
      ]
    // ffmpeg would take a long gap for the beginning of another recording.
    return ["-nostdin", "-v", "error", "-dts_delta_threshold", "1e9"].map { Pathname($0) }
      + DecodedContainer.input(path, information.demuxer) + output.map { Pathname($0) }
  }

  /// Waits for the process after its last sample.
  ///
  /// - Throws: `malformed` if it failed or was killed; `inputOutput` if it did not end.
  func conclude() throws(AudioError) {
    guard let ending = child.wait(ChildProcess.patience * 10) else {
      end()
      throw AudioError(
        .inputOutput, cannot: "decode", name, because: "ffmpeg gave everything and did not end")
    }
    child.release()
    guard !ending.isSuccess else { return }
    // Its last words before a kill are not the reason.
    let errorLine = if case .exited = ending { errors.first } else { String?.none }
    throw AudioError(
      .malformed, cannot: "decode", name,
      because: "ffmpeg failed: \(errorLine ?? ending.description)")
  }

  func end() {
    output.close()
    child.terminate()
  }
}
