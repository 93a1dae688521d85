// SPDX-License-Identifier: Apache-2.0
/// A video whose sound is replaced; its other streams are copied bit for bit.
public struct VideoTarget: Sendable {
  /// The path of the video.
  public let path: String
  let content: VideoContent
  /// The sound stream to replace; nil if the video has none.
  let sound: VideoContent.Stream?
  /// The streams of the new file, in order, without those that ffmpeg cannot write. Nil stands for the new sound.
  private(set) var places: [VideoContent.Stream?]
  /// The last of these, which Matroska holds as attachments: ffmpeg would write covers as moving pictures.
  private(set) var covers: [VideoContent.Stream] = []
  /// The silence to write in front, in seconds, so that the new sound begins at the old one's time.
  let delay: Double

  /// Asks `ffprobe`, which must be on the PATH.
  ///
  /// - Parameters:
  ///   - path: a regular file.
  ///   - track: the sound track to replace.
  /// - Throws: `notFound` (the file, or the program: then the subject is `ffprobe`), `unrecognised`, `unsupported` if
  ///   there are no moving pictures or no such track.
  public init(path: String, track: SoundTrack) throws(AudioError) {
    func refusal(_ reason: String) -> AudioError {
      AudioError(.unsupported, cannot: "put the sound into", path, because: reason)
    }
    // Opening it would wait for a writer.
    guard !Pathname(path).isNamedPipe else { throw refusal("it is a named pipe") }
    _ = try FileDescriptor(reading: path)
    let answer = try VideoContent.read(path)
    guard let content = answer.content else {
      throw refusal("ffmpeg cannot read it: \(answer.refusal)")
    }
    self.path = path
    self.content = content
    let pictures = content.streams.filter(\.isMovingPictures)
    guard !pictures.isEmpty else { throw refusal("there are no moving pictures in it") }
    let sounds = content.streams.filter { $0.kind == "audio" }
    var sound: VideoContent.Stream?
    if track != 1 || !sounds.isEmpty {
      sound = sounds[try track.number(among: sounds.map { TrackName($0.texts) }, in: path) - 1]
    }
    self.sound = sound
    places = content.streams.filter { !$0.isChapterTitles }.map {
      $0.index == sound?.index ? nil : $0
    }
    if sound == nil { places.append(nil) }
    let start = sound?.startTime
    let isLater =
      SoundOffset(
        of: start, in: content.startTime, videos: pictures.map(\.startTime),
        duration: content.duration)
      != nil
    // A sound that begins behind the pictures is decoded with that silence in front already.
    let offset =
      (start.flatMap { Double($0) } ?? 0) - (content.startTime.flatMap { Double($0) } ?? 0)
    delay = isLater || sound == nil || !(0...86_400).contains(offset) ? 0 : offset
  }

  /// Whether other sound tracks are copied. ffmpeg 5.1 reports a length of 0 for the last packets of some. A finer unit
  /// than milliseconds would cut those off in the edit list.
  var hasOtherSound: Bool { places.contains { $0?.kind == "audio" } }

  /// The number of the new sound among the sound tracks, from 1.
  var trackOfSound: Int { 1 + places.prefix { $0 != nil }.count { $0?.kind == "audio" } }

  /// ffmpeg's name of the codec of the sound; nil if there is none.
  package var codec: String? { sound?.codec }

  /// The coding of the sound; nil if it is lossless, or its bit rate is unknown.
  ///
  /// - Throws: `notFound` with `ffprobe` as the subject; `interrupted`.
  package func lossyCoding(until control: SessionControl) throws(AudioError) -> LossyCoding? {
    let sounds = content.streams.filter { $0.kind == "audio" }
    guard let sound, let place = sounds.firstIndex(where: { $0.index == sound.index }) else {
      return nil
    }
    let track = DecodedTrack(
      path: path, number: place + 1, codec: sound.codec, profile: sound.profile,
      channelCount: sound.channelCount, bitRate: sound.bitRate,
      duration: content.duration.flatMap { Double($0) })
    return try track.lossyCoding(wakeup: control.wakeup)
  }

  /// Subtitles that are converted, by their codecs in words: `subrip now, and were mov_text`.
  var conversions: [String] {
    let all = places.compactMap { place in
      place.flatMap { stream in stream.conversion.map { "\($0) now, and were \(stream.codec)" } }
    }
    return Set(all).sorted()
  }

  /// Leaves out the streams that ffmpeg cannot write into a container, converts subtitles of text that it can write in
  /// another codec, and finds ``covers``.
  ///
  /// - Throws: `notFound` with `ffmpeg` as the subject; `interrupted`.
  mutating func leaveOut(
    forWriting container: EncodedContainer, wakeup: Wakeup?
  ) throws(AudioError) {
    let trial = VideoTrial(path: path, demuxer: content.demuxer, container: container)
    let others = places.compactMap { $0 }.filter { !$0.isMovingPictures }
    covers = container.muxer == "matroska" ? others.filter(\.isCover) : []
    var refused = try trial.refused(
      others.filter { !covers.map(\.index).contains($0.index) }, wakeup: wakeup)
    let texts = refused.filter(\.isText).map { stream in
      var stream = stream
      stream.conversion = container.subtitleCodec
      return stream
    }
    let unconverted = try trial.refused(texts, wakeup: wakeup).map(\.index)
    for text in texts where !unconverted.contains(text.index) {
      refused.removeAll { $0.index == text.index }
      for place in places.indices where places[place]?.index == text.index { places[place] = text }
    }
    places.removeAll { place in (refused + covers).contains { $0.index == place?.index } }
    places += covers
  }

  /// Reads a cover.
  ///
  /// - Returns: a file in memory.
  /// - Throws: `inputOutput`, `interrupted`.
  func picture(
    of cover: VideoContent.Stream, wakeup: Wakeup?
  ) throws(AudioError) -> FileDescriptor {
    let file = try SpooledFile.inMemory(named: FFmpeg.program)
    let words = [
      "-map", "0:\(cover.index)", "-c", "copy", "-frames:v", "1", "-f", "data",
      "file:" + file.pathForOthers,
    ]
    let answer = try CommandOutput(
      of: FFmpeg.program,
      ["-nostdin", "-v", "error", "-y"].map { Pathname($0) }
        + DecodedContainer.input(path, content.demuxer) + words.map { Pathname($0) },
      wakeup: wakeup)
    guard answer.ending.isSuccess, try file.size() > 0 else {
      throw AudioError(
        .inputOutput, cannot: "read the cover of", path,
        because: answer.errorLine ?? answer.ending.description)
    }
    return file
  }

  /// The arguments of ffmpeg behind its first input, which is the new sound.
  ///
  /// - Parameters:
  ///   - encoder: ffmpeg's name for the codec, and options for it.
  ///   - sampleRate: of the new sound, in hertz.
  ///   - tags: of the new sound; a measurement of loudness that is missing there is not true of it.
  ///   - pictures: the content of ``covers``.
  func arguments(
    encoder: [String], at sampleRate: Int, tags: Metadata.Tags, pictures: [FileDescriptor],
    in container: EncodedContainer
  ) -> [Pathname] {
    // Dolby Vision's record and FLAC in MP4 are written only with this strictness.
    var words = [
      "-map_metadata", "1", "-map_chapters", "1", "-c", "copy", "-strict", "experimental",
    ]
    words += removed(content.texts.filter { isObsolete($0, tags) }, from: "-metadata")
    for (number, place) in places.dropLast(covers.count).enumerated() {
      let stream = place ?? sound
      words += ["-map", place.map { "1:\($0.index)" } ?? "0:a:0"]
      if let stream { words += ["-map_metadata:s:\(number)", "1:s:\(stream.index)"] }
      let flags = stream?.dispositions.joined(separator: "+") ?? "default"
      words += ["-disposition:\(number)", flags.isEmpty ? "0" : flags]
      if let codec = place?.conversion { words += ["-c:\(number)", codec] }
      if let delay = place?.delay, delay > 0, ["matroska", "webm"].contains(container.muxer) {
        // Readers subtract the delay of Opus, but ffmpeg does not add it. The unit is a millisecond.
        words += ["-bsf:\(number)", "setts=ts=TS+\((delay + 24) / 48)"]
      }
      guard place == nil else { continue }
      words += ["-c:\(number)", encoder[0]] + encoder.dropFirst()
      words += removed(
        sound?.texts.filter { DecodedTexts.isOfEncoder($0.name) || isObsolete($0, tags) } ?? [],
        from: "-metadata:s:\(number)")
      let late = Int((delay * Double(sampleRate)).rounded())
      if late > 0 { words += ["-filter:\(number)", "adelay=delays=\(late)S:all=1"] }
    }
    for (index, (cover, picture)) in zip(covers, pictures).enumerated() {
      words += attachment(cover, picture, as: places.count - covers.count + index)
    }
    return offset.map { Pathname($0) } + DecodedContainer.input(path, content.demuxer)
      + words.map { Pathname($0) }
  }

  private func attachment(
    _ cover: VideoContent.Stream, _ picture: FileDescriptor, as number: Int
  ) -> [String] {
    var words = ["-attach", "file:" + picture.pathForOthers]
    words += ["-map_metadata:s:\(number)", "1:s:\(cover.index)"]
    let kind = cover.codec == "mjpeg" ? "jpeg" : cover.codec
    for (name, value) in [
      ("mimetype", "image/" + kind), ("filename", "cover." + (kind == "jpeg" ? "jpg" : kind)),
    ] {
      // ffmpeg would take the name of the descriptor for the file's.
      let stated = cover.texts.first { $0.name.lowercased() == name }?.value
      words += ["-metadata:s:\(number)", "\(name)=\(stated ?? value)"]
    }
    return words
  }

  /// The option that keeps the times of a Matroska file whose sound begins before 0, by the delay of Opus: ffmpeg would
  /// move all else behind the sound.
  private var offset: [String] {
    guard content.demuxer == "matroska", let start = content.startTime, start.hasPrefix("-"),
      start == sound?.startTime
    else { return [] }
    return ["-itsoffset", start]
  }

  /// Adds to a written video the texts that ffmpeg did not write.
  ///
  /// - Parameter metadata: of the new sound.
  /// - Returns: the content that the video lacks.
  /// - Throws: `inputOutput`, `interrupted`.
  func complete(
    _ file: FileDescriptor, _ container: EncodedContainer, _ metadata: Metadata?, _ wakeup: Wakeup?
  ) throws(AudioError) -> [Metadata.Omission] {
    let tags = metadata?.tags ?? Metadata.Tags()
    func losses() throws(AudioError) -> VideoLosses {
      let answer = try VideoContent.read(file.pathForOthers, wakeup: wakeup)
      guard let written = answer.content else {
        throw AudioError(
          .inputOutput, cannot: "write to", file.name,
          because: "ffprobe cannot read the file: \(answer.refusal)")
      }
      return VideoLosses(target: self, written: written, tags: tags)
    }
    let first = try losses()
    guard ["mp4", "mov"].contains(container.muxer), !first.texts.isEmpty else {
      return first.omissions(in: container.name)
    }
    let source = content.demuxer == "mov" ? try FileDescriptor(reading: path) : nil
    try MovieKeys.append(
      first.texts, of: source, to: file, isQuickTime: container.muxer == "mov")
    return try losses().omissions(in: container.name)
  }

  /// The options that remove texts: an empty value does.
  private func removed(_ texts: [VideoContent.Text], from option: String) -> [String] {
    texts.filter { !$0.name.contains("=") }.flatMap { [option, $0.name + "="] }
  }

  /// Whether a text measures the loudness of the former sound, which `tags` of the new one do not state.
  func isObsolete(_ text: VideoContent.Text, _ tags: Metadata.Tags) -> Bool {
    let key = text.name.uppercased()
    guard Metadata.measuresLoudness(key) else { return false }
    return !tags[key].contains(text.value)
  }
}

extension VideoContent {
  typealias Text = (name: String, value: String)
}

extension VideoContent.Stream {
  /// The titles of chapters in MP4: the chapters are copied with new titles.
  var isChapterTitles: Bool { kind == "data" && tag == "text" }
}
