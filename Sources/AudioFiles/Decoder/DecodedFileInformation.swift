// SPDX-License-Identifier: Apache-2.0
/// The properties of a file that ffmpeg reports before it decodes it.
package struct DecodedFileInformation: Sendable {
  /// ffmpeg's name of the container, for example `mov,mp4,m4a,3gp,3g2,mj2`.
  package let formatName: String
  /// ffmpeg's demuxer for it: the first name in `formatName`.
  let demuxer: String
  /// ffmpeg's name of the codec, for example `aac`.
  package let codecName: String
  /// The rate and the channels of the stream.
  package let format: StreamFormat
  /// The plain encoding that holds the decoder's output exactly.
  package let encoding: SampleEncoding
  /// The encoding of a new file, unless another one is asked for.
  let usualEncoding: SampleEncoding
  /// The length that the file states, in samples per channel; nil if it states none. The decoder's output may differ by
  /// some samples.
  package let statedSamplesPerChannel: Int64?
  /// The end of the sound, in samples per channel, if the file states it exactly and the decoder may exceed it; nil
  /// otherwise.
  let end: Int64?
  /// All streams, in the order of the file.
  package let streams: [DecodedStream]
  /// The number of the decoded sound track, from 1.
  package let track: Int
  /// The number of sound tracks.
  package let streamCount: Int
  /// The number of covers and other pictures; they are dropped from MP4 and similar files.
  package let pictureCount: Int
  /// The number of streams of moving pictures, which are dropped.
  package let videoCount: Int
  /// The silence in front of the sound, in samples per channel, that keeps it in sync with pictures that begin earlier;
  /// 0 without moving pictures. ``statedSamplesPerChannel`` does not count it.
  package let silenceInFront: Int64
  /// The bits of the stream, or of the file, in a second; nil if it states none.
  package let bitRate: Int?
  /// The decoded track, for its coding.
  let coded: DecodedTrack
  /// The time at which the container begins, in seconds.
  let startTime: Double
  /// The unit of the stream's time stamps, in samples per channel.
  let tick: Double
  /// Whether the file ends within an element of its container.
  package let endsWithin: Bool
  private let pictures: DecodedPictures
  /// Texts of the file under ffmpeg's names, in order.
  package let texts: [(name: String, value: String)]
  /// The metadata of the file: texts by the names of Vorbis comments, chapters as marks, and the pictures of tags that
  /// are read here. ``metadataWithPictures(of:wakeup:)`` has all pictures. The rest are omissions.
  package let metadata: Metadata

  /// Asks `ffprobe`, which must be on the PATH, about a file. Any thread.
  ///
  /// - Parameter path: a regular file.
  /// - Throws: `notFound` (the file, or the program: then the subject is `ffprobe`), `unrecognised` (unknown to ffmpeg,
  ///   too), `malformed` (no sound in it), `unsupported` (a list of other files, among others), `inputOutput`.
  package init(path: String) throws(AudioError) {
    try self.init(path: path, named: path, wakeup: nil)
  }

  /// - Parameter track: the sound track to decode.
  init(path: String, named name: String, wakeup: Wakeup?, track: SoundTrack = 1) throws(AudioError)
  {
    let file = try FileDescriptor(reading: path)
    let beginning = try file.bytes(FileBeginning.length, at: 0)
    let kind = ForeignContainer(beginning)
    let answer = try CommandOutput(
      ofProbe: (kind?.demuxer.map { ["-f", $0] } ?? []) + [
        "-show_entries",
        "format=format_name,start_time,duration,bit_rate,probe_score:format_tags:stream=codec_type,codec_name,profile,bit_rate,"
          + "sample_fmt,start_time,sample_rate,channels,bits_per_raw_sample,duration_ts,time_base,duration:stream_tags"
          + ":stream_disposition=attached_pic:chapter=start,end,time_base:chapter_tags=title",
        "-of", "json",
      ], path, wakeup: wakeup)
    let object = try? JSONValue(reading: answer.output, depth: 16)
    guard answer.ending.isSuccess, let object, let container = object["format"] else {
      throw Self.refusal(of: name, by: answer)
    }
    formatName = container["format_name"]?.text ?? ""
    guard let demuxer = DecodedContainer.demuxer(formatName) else {
      throw Self.refusal(of: name, takenFor: formatName)
    }
    self.demuxer = demuxer
    // Refuse a file with no evidence but its name. TAK's signature gets no higher score from ffmpeg, and a few frames
    // of AC-3 get a lower one.
    let isAC3 = try AC3Frames.fill(FileWindow(of: file))
    let isKnown = isAC3 || kind?.isLikeNothingElse ?? false
    guard isKnown || container["probe_score"]?.number ?? 0 > Self.scoreOfAName else {
      throw AudioError(.unrecognised, cannot: "decode", name, because: "ffmpeg does not know it")
    }
    let all = object["streams"]?.elements ?? []
    pictureCount = all.count(where: \.isCover)
    let videos = all.filter(\.isVideo)
    videoCount = videos.count
    let chapters = object["chapters"]?.elements ?? []
    let streams = all.filter { $0["codec_type"]?.text == "audio" }
    guard let first = streams.first else {
      throw AudioError(
        .malformed, cannot: "decode", name, because: "ffmpeg finds no sound in it",
        advice: videos.isEmpty ? nil : AudioError.silentPictures)
    }
    let track = try track.number(
      among: streams.map { TrackName($0["tags"]?.texts ?? []) }, in: name)
    let stream = track == 1 ? first : streams[track - 1]
    self.track = track
    self.streams = all.map { DecodedStream($0) }
    guard let rate = stream["sample_rate"]?.number, let channels = stream["channels"]?.number,
      rate > 0, channels > 0
    else {
      throw AudioError(
        .malformed, cannot: "decode", name,
        because: "ffmpeg finds no rate or no channels in it")
    }
    format = try StreamFormat(
      sampleRate: Int(clamping: rate), channelCount: Int(clamping: channels))
    codecName = stream["codec_name"]?.text ?? ""
    let coding = DecodedCoding(
      codec: codecName, sampleFormat: stream["sample_fmt"]?.text ?? "",
      bits: stream["bits_per_raw_sample"]?.number ?? 0)
    (encoding, usualEncoding) = (coding.encoding, coding.usualEncoding)
    var states = !Self.unstatedFormats.contains(formatName)
    if demuxer == "mpegts" { states = try !TransportClock.leaps(in: FileWindow(of: file)) }
    let stated = states ? Self.length(of: stream, in: container, at: format.sampleRate) : nil
    if demuxer == "mov", coding.isLossy || codecName == "alac", let stated, stated > 0 {
      end = try MovieLength.ofTrack(
        track, at: format.sampleRate, stated: stated, in: FileWindow(of: file))
    } else {
      end = nil
    }
    statedSamplesPerChannel = end ?? stated
    startTime = container["start_time"]?.text.flatMap { Double($0) } ?? 0
    tick = Self.tick(of: stream).map { Double(rate) * $0 } ?? 1
    endsWithin = try FileEnd.isMissing(in: FileWindow(of: file, blockSize: 4_096), demuxer)
    streamCount = streams.count
    silenceInFront =
      try SoundOffset(
        of: stream["start_time"]?.text, in: container["start_time"]?.text,
        videos: videos.map { $0["start_time"]?.text }, duration: container["duration"]?.text
      ).map { (offset) throws(AudioError) in
        try offset.samples(at: Int(clamping: rate), of: path, track: track, wakeup: wakeup)
      } ?? 0
    let (fileTexts, streamTexts) = (container["tags"]?.texts ?? [], stream["tags"]?.texts ?? [])
    texts = Self.texts(of: fileTexts, streamTexts)
    var metadata = try DecodedTexts.metadata(
      of: path, demuxer, file: fileTexts, stream: streamTexts, track: track)
    metadata.markers = Self.markers(
      chapters, at: format.sampleRate, of: statedSamplesPerChannel)
    (metadata.sampleRate, metadata.channelCount) = (format.sampleRate, format.channelCount)
    pictures = DecodedPictures(metadata.pictures.isEmpty ? all : [])
    self.metadata = metadata
    let bits = (stream["bit_rate"] ?? container["bit_rate"])?.number
    bitRate = bits.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    coded = DecodedTrack(
      path: path, number: track, codec: codecName,
      profile: stream["profile"]?.text ?? "", channelCount: format.channelCount,
      bitRate: all.count == 1 || stream["bit_rate"]?.number != nil ? bitRate : nil,
      duration: container["duration"]?.text.flatMap { Double($0) })
  }

  /// The metadata with the pictures, which ffmpeg reads. Any thread.
  ///
  /// - Parameter path: of the file.
  /// - Throws: `notFound` if there is no ffmpeg; `interrupted`.
  package func metadataWithPictures(
    of path: String, wakeup: Wakeup?
  ) throws(AudioError) -> Metadata {
    guard !pictures.streams.isEmpty else { return metadata }
    var whole = metadata
    let (read, unread) = try pictures.read(from: path, demuxer, wakeup: wakeup)
    whole.pictures = read
    whole.omit(pictureCount: unread)
    return whole
  }

  /// Chapters as marks, to the nearest sample. A chapter that ends where the next one begins has no length.
  ///
  /// - Parameter length: of the sound in samples per channel; nil if it is unknown.
  private static func markers(
    _ chapters: [JSONValue], at sampleRate: Int, of length: Int64?
  ) -> [Metadata.Marker] {
    var markers: [Metadata.Marker] = []
    for chapter in chapters {
      let base = chapter["time_base"]?.text?.split(separator: "/").compactMap { Int128($0) } ?? []
      guard base.count == 2, base[1] > 0, let start = chapter["start"]?.number, start >= 0 else {
        continue
      }
      func samples(_ time: Int64) -> Int64 {
        Int64(clamping: (2 * Int128(time) * base[0] * Int128(sampleRate) + base[1]) / (2 * base[1]))
      }
      let position = samples(start)
      let end = chapter["end"]?.number.map(samples) ?? position
      markers.append(
        Metadata.Marker(
          identifier: UInt32(markers.count + 1), position: position, length: max(0, end - position),
          label: chapter["tags"]?["title"]?.text ?? ""))
    }
    // Ends are as coarse as the file's unit of time, a millisecond or less.
    let nearest = Int64(sampleRate / 1_000 + 1)
    for index in markers.indices {
      let end = markers[index].position + markers[index].length
      let next = index + 1 < markers.count ? markers[index + 1].position : nil
      // The last packet of a codec may reach beyond the sound.
      let isImplied = next.map { abs(end - $0) <= nearest } ?? length.map { end >= $0 - nearest }
      if isImplied ?? true { markers[index].length = 0 }
    }
    return markers
  }

  /// ffmpeg's AVPROBE_SCORE_EXTENSION: the score of a file by its extension alone.
  private static let scoreOfAName: Int64 = 50

  /// The error for a file that ffprobe does not open.
  private static func refusal(of name: String, by answer: CommandOutput) -> AudioError {
    let errorLine = answer.errorLine ?? answer.ending.description
    // libavformat/utils.c, demux.c: only another demuxer would open the file.
    guard errorLine.hasPrefix("Format not on whitelist"), let demuxer = answer.errorOrigin else {
      return AudioError(
        .unrecognised, cannot: "decode", name, because: "ffmpeg cannot read it: \(errorLine)")
    }
    return refusal(of: name, takenFor: demuxer)
  }

  private static func refusal(of name: String, takenFor demuxer: String) -> AudioError {
    guard DecodedContainer.lists.contains(demuxer) else {
      return AudioError(
        .unrecognised, cannot: "decode", name,
        because: "ffmpeg takes it for '\(demuxer)', which is not decoded here")
    }
    return AudioError(
      .unsupported, cannot: "decode", name,
      because: "it is a list of other files (\(demuxer)), and those are not followed",
      advice: "name the files themselves")
  }

  /// Streams without a container state no length: ffmpeg estimates one from the bit rate.
  private static let unstatedFormats: Set<String> = [
    "aac", "ac3", "amr", "dts", "eac3", "loas", "mlp", "mp3", "mpeg", "truehd",
  ]

  /// Names that describe the container, not its content.
  static let technicalNames: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "duration",
  ]

  /// The texts of a file, and those texts of its stream that the file lacks.
  private static func texts(
    of file: [(name: String, value: String)], _ stream: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    var taken = technicalNames
    return (file + stream).filter { taken.insert($0.name.lowercased()).inserted }
  }

  /// The unit of a stream's time stamps, in seconds.
  private static func tick(of stream: JSONValue) -> Double? {
    guard let base = stream["time_base"]?.text?.split(separator: "/"), base.count == 2,
      let numerator = Double(base[0]), let denominator = Double(base[1]), denominator > 0
    else { return nil }
    return numerator / denominator
  }

  private static func length(
    of stream: JSONValue, in container: JSONValue, at sampleRate: Int
  ) -> Int64? {
    if let ticks = stream["duration_ts"]?.number, ticks >= 0,
      let base = stream["time_base"]?.text?.split(separator: "/"), base.count == 2,
      let numerator = Int128(base[0]), let denominator = Int128(base[1]), denominator > 0
    {
      return Int64(exactly: Int128(ticks) * numerator * Int128(sampleRate) / denominator)
    }
    guard let text = (stream["duration"] ?? container["duration"])?.text,
      let seconds = Double(text), seconds >= 0, seconds < 1e12
    else { return nil }
    return Int64(seconds * Double(sampleRate))
  }
}

// ffprobe prints numbers both as numbers and as texts.
extension JSONValue {
  var number: Int64? {
    switch self {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// Whether a stream is a cover or another picture.
  var isCover: Bool { (self["disposition"]?["attached_pic"]?.number ?? 0) != 0 }

  var isVideo: Bool { self["codec_type"]?.text == "video" && !isCover }

  var texts: [(name: String, value: String)] {
    guard case .object(let members) = self else { return [] }
    return members.compactMap { member in member.value.text.map { (member.name, $0) } }
  }
}

/// A stream of a file that ffmpeg decodes, as reported by ffprobe.
package struct DecodedStream: Sendable {
  /// `audio`, `video`, `subtitle`, `data`, `attachment`.
  package let kind: String
  /// ffmpeg's name of the codec; empty if it knows none.
  package let codecName: String
  /// The language of the stream, if the file states one.
  package let language: String?
  /// The title of the stream, if the file states one.
  package let title: String?

  init(_ stream: JSONValue) {
    kind = stream["codec_type"]?.text ?? "data"
    codecName = stream["codec_name"]?.text ?? ""
    let name = TrackName(stream["tags"]?.texts ?? [])
    (language, title) = (name.language, name.title)
  }
}
