// SPDX-License-Identifier: Apache-2.0
/// A video whose sound is replaced; its other streams are copied bit for bit.
public struct FilmTarget: Sendable {
  private typealias Stream = (index: Int, kind: String, codec: String)

  /// The path of the video.
  public let path: String
  private let demuxer: String
  private let streams: [Stream]
  /// The sound stream to replace; nil if the video has none.
  private let sound: Stream?
  /// The silence to write in front, in seconds, so that the new sound begins at the old one's time.
  let delay: Double

  /// Asks `ffprobe`, which must be on the PATH.
  ///
  /// - Parameters:
  ///   - path: a regular file.
  ///   - track: the number of the sound track to replace, from 1.
  /// - Throws: `notFound` (the file, or the program: then the subject is `ffprobe`), `unrecognised`, `unsupported` if
  ///   there are no moving pictures or no such track.
  public init(path: String, track: Int) throws(AudioError) {
    func refusal(_ reason: String) -> AudioError {
      AudioError(.unsupported, cannot: "put the sound into", path, because: reason)
    }
    _ = try FileDescriptor(reading: path)
    let answer = try ProgramAnswer(
      ofProbe: [
        "-show_entries",
        "format=format_name,start_time,duration:stream=index,codec_type,codec_name,codec_tag_string,start_time"
          + ":stream_disposition=attached_pic", "-of", "json",
      ], path, wakeup: nil)
    guard answer.ending.isSuccess, let object = try? JSONValue(reading: answer.output, depth: 16),
      let container = object["format"], let format = container["format_name"]?.text,
      let demuxer = DecodedContainer.demuxer(format)
    else { throw refusal("ffmpeg cannot read it: \(answer.complaint ?? "it knows no such file")") }
    self.path = path
    self.demuxer = demuxer
    let all = object["streams"]?.elements ?? []
    let pictures = all.filter(\.isVideo)
    guard !pictures.isEmpty else { throw refusal("there are no moving pictures in it") }
    streams = all.compactMap { stream -> Stream? in
      guard let index = stream["index"]?.number else { return nil }
      let kind = stream["codec_type"]?.text ?? ""
      // The chapter titles in MP4: the chapters are copied with new titles.
      if kind == "data", stream["codec_tag_string"]?.text == "text" { return nil }
      return (Int(index), kind, stream["codec_name"]?.text ?? "")
    }
    let sounds = streams.filter { $0.kind == "audio" }
    guard track <= max(1, sounds.count) else {
      throw refusal("it has \(sounds.count) sound \(sounds.count == 1 ? "track" : "tracks")")
    }
    let sound = sounds.isEmpty ? nil : sounds[track - 1]
    self.sound = sound
    let start = all.first { $0["index"]?.number == sound.map { Int64($0.index) } }?["start_time"]?
      .text
    let isLater =
      SoundOffset(
        of: start, in: container["start_time"]?.text,
        videos: pictures.map { $0["start_time"]?.text }, duration: container["duration"]?.text)
      != nil
    // A sound that begins behind the pictures is decoded with that silence in front already.
    let offset =
      (start.flatMap { Double($0) } ?? 0)
      - (container["start_time"]?.text.flatMap { Double($0) } ?? 0)
    delay = isLater || sound == nil || !(0...86_400).contains(offset) ? 0 : offset
  }

  /// Whether other sound tracks are copied. ffmpeg 5.1 reports a length of 0 for the last packets of some. A finer unit
  /// than milliseconds would cut those off in the edit list.
  var hasOtherSound: Bool { streams.count { $0.kind == "audio" } > 1 }

  /// ffmpeg's name of the codec of the sound; nil if there is none.
  package var codec: String? { sound?.codec }

  /// The arguments of ffmpeg behind its first input, which is the new sound.
  ///
  /// - Parameters:
  ///   - encoder: ffmpeg's name for the codec, and options for it.
  ///   - sampleRate: of the new sound, in hertz.
  func arguments(encoder: [String], at sampleRate: Int) -> [Pathname] {
    var words = ["-map_metadata", "1", "-map_chapters", "1", "-c", "copy"]
    let places =
      streams.map { $0.index == sound?.index ? nil : $0.index } + (sound == nil ? [nil] : [])
    for place in places { words += ["-map", place.map { "1:\($0)" } ?? "0:a:0"] }
    guard let place = places.firstIndex(of: nil) else { return [] }
    words += ["-c:\(place)", encoder[0]] + encoder.dropFirst()
    if let sound {
      words += ["-map_metadata:s:\(place)", "1:s:\(sound.index)"]
    }
    let late = Int((delay * Double(sampleRate)).rounded())
    if late > 0 { words += ["-filter:\(place)", "adelay=delays=\(late)S:all=1"] }
    return DecodedContainer.input(path, demuxer) + words.map { Pathname($0) }
  }
}
