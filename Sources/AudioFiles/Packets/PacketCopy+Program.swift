// SPDX-License-Identifier: Apache-2.0
/// Copies packets by ffmpeg's `-c copy`.
extension PacketCopy {
  /// Two frames of the largest kind of AAC, and one of ALAC: they set up the decoder in front of a cut, and the edit list
  /// hides them.
  private static let lead: Int64 = 4_096

  /// - Parameters:
  ///   - samples: the part to copy, in samples per channel; nil = all.
  ///   - length: of the sound, in samples per channel; nil if it is unknown.
  func write(
    _ information: DecodedFileInformation, _ samples: Range<Int64>?, of length: Int64?,
    into container: EncodedContainer, _ output: FileDescriptor, _ wakeup: Wakeup
  ) throws(AudioError) {
    var written = EncodedMetadata(
      metadata, in: container, format, encoding: metadata?.encoding ?? .s16, shift: 0)
    let inputs = try EncodedFileInputs(of: written, for: container)
    var words = inputs.arguments(behind: "0:a:\(information.track - 1)")
    words += ["-c:a", "copy"]
    var filters = exactFilters(information, samples, of: length, container)
    if filters == nil, let samples { filters = try wholePackets(information, samples, wakeup) }
    if let filters { words += ["-bsf:a", filters] }
    if written.text == nil { words += ["-map_metadata", "-1", "-map_chapters", "-1"] }
    words += ["-map_metadata:s:a:0", "-1"]
    if container.muxer == "ipod" { words += ["-movie_timescale", "\(format.sampleRate)"] }
    words += ["-fflags", "+bitexact", "-strict", "experimental"] + container.options
    words += ["-f", container.muxer, "file:" + output.pathForOthers]
    try FFmpeg.copy(
      information, at: sound.path, words, named: output.name, wakeup)
    if written.endsWithChapter, let length {
      try ChapterEnd.state(length, at: format.sampleRate, in: output, container)
    }
    try written.verify(output, container, wakeup)
    metadataOmissions = written.omissions
  }

  /// The filters that take the packets of a part, and state the exact length of the last one: the edit list of MPEG-4 and
  /// its durations follow from the times of the packets. Nil if the file has no such list.
  private func exactFilters(
    _ information: DecodedFileInformation, _ samples: Range<Int64>?, of length: Int64?,
    _ container: EncodedContainer
  ) -> String? {
    guard target.cutsExactly(sound), let length else { return nil }
    let start = samples?.lowerBound ?? 0
    let end = start + length
    let frame = information.codecName == "alac" ? 4_096 : 1_024
    let duration = "if(gt(PTS\\,\(end)-\(frame))\\,\(end)-PTS\\,DURATION)"
    let times = "setts=ts=TS-\(start):duration=\(duration)"
    if samples == nil { return times }
    return Self.packets("lt(pts\\,\(start - Self.lead))+gte(pts\\,\(end))") + "," + times
  }

  /// The filters that take whole packets, from the one on in which a part begins, by their numbers.
  private func wholePackets(
    _ information: DecodedFileInformation, _ samples: Range<Int64>, _ wakeup: Wakeup
  ) throws(AudioError) -> String {
    let rate = Double(format.sampleRate)
    let isOpen = samples.upperBound == .max
    let times = try times(
      of: information, upTo: isOpen ? nil : Double(samples.upperBound) / rate + 2, wakeup)
    guard let origin = times.first else {
      throw AudioError(
        .unsupported, cannot: "cut the packets of", sound.path, because: "they have no times",
        advice: "leave --copy out")
    }
    let start = origin + Double(samples.lowerBound) / rate
    let end = origin + Double(samples.upperBound) / rate
    // Times of milliseconds are half of one wrong.
    let first = times.lastIndex { $0 <= start + 0.0005 } ?? 0
    let next = times.firstIndex { $0 >= end - 0.0005 } ?? .max
    movedSamples = max(0, Int64(((start - times[first]) * rate).rounded()))
    return Self.packets("lt(n\\,\(first))+gte(n\\,\(next))") + ",setts=ts=TS-STARTPTS"
  }

  private static func packets(_ others: String) -> String { "noise=drop='\(others)'" }

  /// The times of the packets, in seconds.
  ///
  /// - Parameter end: in seconds from the beginning; nil = all.
  private func times(
    of information: DecodedFileInformation, upTo end: Double?, _ wakeup: Wakeup
  ) throws(AudioError) -> [Double] {
    try numbers(
      "pts_time", of: information.track, in: sound.path,
      end.map { ["-read_intervals", "%+\($0)"] } ?? [], wakeup)
  }

  /// The length of a written file that states none, by its packets, in samples per channel.
  func length(of file: FileDescriptor, _ wakeup: Wakeup) throws(AudioError) -> Int64 {
    let durations = try numbers("duration_time", of: 1, in: file.pathForOthers, [], wakeup)
    return Int64((durations.reduce(0, +) * Double(format.sampleRate)).rounded())
  }

  /// The numbers that ffprobe has for each packet of a sound track.
  private func numbers(
    _ entry: String, of track: Int, in path: String, _ options: [String], _ wakeup: Wakeup
  ) throws(AudioError) -> [Double] {
    let answer = try CommandOutput(
      ofProbe: ["-select_streams", "a:\(track - 1)"] + options + [
        "-show_entries", "packet=\(entry)", "-of", "csv=p=0",
      ], path, atMost: Self.mostBytes, wakeup: wakeup)
    return String(decoding: answer.output, as: UTF8.self)
      .split { $0 == "\n" || $0 == "," }.compactMap { Double($0) }
  }

  /// The times of more than a day.
  private static let mostBytes = 1 << 26
}

extension FFmpeg {
  /// Runs ffmpeg on a file until it has written its output.
  ///
  /// - Parameters:
  ///   - words: the arguments behind the input.
  ///   - name: of the output, in errors.
  /// - Throws: `inputOutput` if it fails; `notFound` with `ffmpeg` as the subject; `interrupted`.
  static func copy(
    _ information: DecodedFileInformation, at path: String, _ words: [String], named name: String,
    _ wakeup: Wakeup?
  ) throws(AudioError) {
    // Otherwise ffmpeg ends on a full disk with success.
    let arguments =
      ["-nostdin", "-v", "error", "-xerror", "-y"].map { Pathname($0) }
      + DecodedContainer.input(path, information.demuxer) + words.map { Pathname($0) }
    let answer = try CommandOutput(of: program, arguments, wakeup: wakeup)
    guard answer.ending.isSuccess else {
      throw AudioError(
        .inputOutput, cannot: "write to", name,
        because: "ffmpeg failed: \(answer.errorLine ?? answer.ending.description)",
        advice: "nothing was kept")
    }
  }
}
