// SPDX-License-Identifier: Apache-2.0
/// The streams, texts and chapters of a video, as ffprobe lists them.
struct VideoContent {
  struct Stream {
    let index: Int
    /// `audio`, `video`, `subtitle`, `data` or `attachment`.
    let kind: String
    /// ffmpeg's name of the codec; empty if it knows none.
    let codec: String
    /// The codec by the container's four characters; `[0][0][0][0]` if it has none.
    let tag: String
    /// The flags that are set, by ffmpeg's names.
    let dispositions: [String]
    let texts: [(name: String, value: String)]
    /// The kinds of data beside the packets, such as `Display Matrix`.
    let sideData: [String]
    /// In seconds, as ffprobe writes it.
    let startTime: String?
    /// In seconds; nil if the stream does not state it.
    let duration: Double?
    /// Of AAC: its kind.
    let profile: String
    /// In bits per second; nil if the stream does not state it.
    let bitRate: Int?
    let channelCount: Int
    /// Of Opus: the samples per channel at 48,000 Hz in front of the sound; 0 = none, or another codec.
    let delay: Int
    /// ffmpeg's name of the codec that the stream becomes in a video; nil = it is copied.
    var conversion: String?

    var isCover: Bool { kind == "video" && dispositions.contains("attached_pic") }

    /// Whether it is subtitles of text, not of pictures.
    var isText: Bool {
      ["ass", "mov_text", "ssa", "srt", "subrip", "text", "webvtt"].contains(codec)
    }

    /// Whether the stream is moving pictures, not a cover.
    var isMovingPictures: Bool { kind == "video" && !isCover }
  }

  /// ffmpeg's demuxer.
  let demuxer: String
  let streams: [Stream]
  /// The texts of the container.
  let texts: [(name: String, value: String)]
  let chapterCount: Int
  /// In seconds, as ffprobe writes them.
  let startTime: String?
  let duration: String?

  /// Asks `ffprobe`, which must be on the PATH.
  ///
  /// - Returns: the content, or ffprobe's reason for its refusal.
  /// - Throws: `notFound` with `ffprobe` as the subject; `interrupted`.
  static func read(
    _ path: String, wakeup: Wakeup? = nil
  ) throws(AudioError) -> (content: VideoContent?, refusal: String) {
    let answer = try CommandOutput(
      ofProbe: [
        "-show_data", "-show_entries",
        "format=format_name,start_time,duration:format_tags"
          + ":stream=index,codec_type,codec_name,codec_tag_string,start_time,duration,profile,bit_rate,"
          + "channels,extradata:stream_tags"
          + ":stream_disposition:stream_side_data=side_data_type:chapter=id", "-of", "json",
      ], path, wakeup: wakeup)
    let object = try? JSONValue(reading: answer.output, depth: 16)
    guard answer.ending.isSuccess, let object, let content = VideoContent(object) else {
      return (nil, answer.errorLine ?? "it knows no such file")
    }
    return (content, "")
  }

  private init?(_ object: JSONValue) {
    guard let container = object["format"], let format = container["format_name"]?.text,
      let demuxer = DecodedContainer.demuxer(format)
    else { return nil }
    self.demuxer = demuxer
    streams = (object["streams"]?.elements ?? []).compactMap(Stream.init)
    texts = container["tags"]?.texts ?? []
    chapterCount = object["chapters"]?.elements?.count ?? 0
    startTime = container["start_time"]?.text
    duration = container["duration"]?.text
  }

  /// The length of the moving pictures, in seconds; nil if it is unknown.
  var pictureDuration: Double? {
    let pictures = streams.filter(\.isMovingPictures)
    return pictures.compactMap(\.duration).max() ?? duration.flatMap { Double($0) }
  }
}

extension VideoContent.Stream {
  fileprivate init?(_ stream: JSONValue) {
    guard let index = stream["index"]?.number else { return nil }
    self.index = Int(clamping: index)
    kind = stream["codec_type"]?.text ?? "data"
    let name = stream["codec_name"]?.text ?? ""
    codec = ["none", "unknown"].contains(name) ? "" : name
    tag = stream["codec_tag_string"]?.text ?? ""
    var flags: [String] = []
    if case .object(let members) = stream["disposition"] ?? .null {
      flags = members.filter { $0.value.number ?? 0 != 0 }.map(\.name)
    }
    dispositions = flags
    texts = stream["tags"]?.texts ?? []
    sideData = (stream["side_data_list"]?.elements ?? [])
      .compactMap { $0["side_data_type"]?.text }
    startTime = stream["start_time"]?.text
    profile = stream["profile"]?.text ?? ""
    bitRate = stream["bit_rate"]?.number.map { Int(clamping: $0) }
    channelCount = Int(clamping: stream["channels"]?.number ?? 0)
    delay = codec == "opus" ? Self.delay(stream["extradata"]?.text ?? "") : 0
    // Matroska states it as a text: 00:00:02.021000000.
    duration =
      stream["duration"]?.text.flatMap { Double($0) }
      ?? texts.first { $0.name == "DURATION" }.flatMap { Self.seconds($0.value) }
  }

  /// The delay in Opus' header, which ffprobe prints in hexadecimal digits, two bytes a word behind its place. Source: RFC
  /// 7845, section 5.1.
  private static func delay(_ header: String) -> Int {
    let words = header.split { " \n".contains($0) }.dropFirst()
    guard words.count > 5, let bytes = UInt16(words[words.startIndex + 5], radix: 16) else {
      return 0
    }
    return Int(bytes.byteSwapped)
  }

  private static func seconds(_ clock: String) -> Double? {
    let parts = clock.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2]
    else { return nil }
    return (hours * 60 + minutes) * 60 + seconds
  }
}
