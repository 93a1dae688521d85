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
    words += ["-c:a", "copy"] + filter(information, samples, of: length, container)
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
  /// its durations follow from the times of the packets.
  private func filter(
    _ information: DecodedFileInformation, _ samples: Range<Int64>?, of length: Int64?,
    _ container: EncodedContainer
  ) -> [String] {
    guard information.demuxer == "mov", container.muxer == "ipod", information.tick == 1,
      let length
    else { return [] }
    let start = samples?.lowerBound ?? 0
    let end = start + length
    let duration = "if(gt(PTS\\,\(end)-1024)\\,\(end)-PTS\\,DURATION)"
    var filters = ["setts=ts=TS-\(start):duration=\(duration)"]
    if samples != nil {
      filters.insert("noise=drop='lt(pts\\,\(start)-\(Self.lead))+gte(pts\\,\(end))'", at: 0)
    }
    return ["-bsf:a", filters.joined(separator: ",")]
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
    let arguments =
      ["-nostdin", "-v", "error", "-y"].map { Pathname($0) }
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
