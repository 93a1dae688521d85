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
    if filters == nil, let samples {
      filters = try wholePackets(information, samples, wakeup)
      filters? += "," + (countedTimes(information, container) ?? "setts=ts=TS-STARTPTS")
    }
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
  /// its durations follow from the times of the packets. Nil if the times are kept.
  private func exactFilters(
    _ information: DecodedFileInformation, _ samples: Range<Int64>?, of length: Int64?,
    _ container: EncodedContainer
  ) -> String? {
    guard let size = sound.samplesPerPacket, target.cutsExactly(sound), let length else {
      return samples == nil ? countedTimes(information, container) : nil
    }
    let start = samples?.lowerBound ?? 0
    let end = start + length
    let duration = "if(gt(PTS\\,\(end)-\(size))\\,\(end)-PTS\\,DURATION)"
    let times = "setts=ts=TS-\(start):duration=\(duration)"
    if samples == nil { return times }
    return Self.packets("lt(pts\\,\(start - Self.lead))+gte(pts\\,\(end))") + "," + times
  }

  /// The filter that counts the times of packets from 0, because those of most containers are too coarse for MPEG-4. Nil
  /// if they are kept.
  private func countedTimes(
    _ information: DecodedFileInformation, _ container: EncodedContainer
  ) -> String? {
    guard let size = sound.samplesPerPacket, container.muxer == "ipod",
      information.demuxer != "mov"
    else { return nil }
    return "setts=time_base=1/\(format.sampleRate):ts=N*\(size):duration=\(size)"
  }

  /// The filters that take whole packets, from the one on in which a part begins, by their numbers.
  private func wholePackets(
    _ information: DecodedFileInformation, _ samples: Range<Int64>, _ wakeup: Wakeup
  ) throws(AudioError) -> String {
    let rate = Double(format.sampleRate)
    let isOpen = samples.upperBound == .max
    let times = try PacketTimes(
      of: information, in: sound.path,
      upTo: isOpen ? nil : Double(samples.upperBound) / rate + 2, wakeup
    ).times
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
    return Self.packets("lt(n\\,\(first))+gte(n\\,\(next))")
  }

  private static func packets(_ others: String) -> String { "noise=drop='\(others)'" }

  /// The length of a written file that states none, by its packets, in samples per channel.
  func length(of file: FileDescriptor, _ wakeup: Wakeup) throws(AudioError) -> Int64 {
    let answer = try CommandOutput(
      ofProbe: [
        "-select_streams", "a:0", "-show_entries", "packet=duration_time", "-of", "csv=p=0",
      ], file.pathForOthers, atMost: PacketTimes.mostBytes, wakeup: wakeup)
    let durations = String(decoding: answer.output, as: UTF8.self)
      .split { $0 == "\n" || $0 == "," }.compactMap { Double($0) }
    return Int64((durations.reduce(0, +) * Double(format.sampleRate)).rounded())
  }
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
