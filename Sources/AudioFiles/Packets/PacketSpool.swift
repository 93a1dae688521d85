// SPDX-License-Identifier: Apache-2.0
/// Packets of MP3, Vorbis or Opus that ffmpeg takes out of a container, in a file of our own kinds without a name.
enum PacketSpool {
  /// - Throws: `inputOutput` if ffmpeg fails; `notFound` with `ffmpeg` as the subject; `interrupted`.
  static func file(
    with information: DecodedFileInformation, of path: String, _ wakeup: Wakeup
  ) throws(AudioError) -> FileDescriptor {
    let file = try SpooledFile.empty(named: path)
    let muxer = information.codecName == "mp3" ? "mp3" : "ogg"
    var words = ["-map", "0:a:\(information.track - 1)", "-c", "copy", "-map_metadata", "-1"]
    if muxer == "mp3" { words += ["-id3v2_version", "0", "-write_xing", "0"] }
    words += ["-fflags", "+bitexact", "-f", muxer, "file:" + file.pathForOthers]
    try FFmpeg.copy(information, at: path, words, named: path, wakeup)
    return information.codecName == "opus" ? try exact(file, information, path, wakeup) : file
  }

  /// Returns a stream of Opus with true positions: ffmpeg derives them from times of milliseconds, and leaves the surplus
  /// at the end in.
  private static func exact(
    _ file: FileDescriptor, _ information: DecodedFileInformation, _ path: String, _ wakeup: Wakeup
  ) throws(AudioError) -> FileDescriptor {
    let exact = try SpooledFile.empty(named: path)
    let window = try FileWindow(of: file, 0..<file.size())
    let cut = try OggCut(.opus, in: window, window.range, named: path)
    let surplus = try surplus(information, path, wakeup)
    try cut.write(0..<max(1, cut.samplesPerChannel - surplus)) { (bytes) throws(AudioError) in
      _ = try exact.write(bytes)
    }
    try exact.rewind()
    return exact
  }

  /// The samples per channel that the last packet has behind the end of the sound.
  private static func surplus(
    _ information: DecodedFileInformation, _ path: String, _ wakeup: Wakeup
  ) throws(AudioError) -> Int64 {
    let length = information.statedSamplesPerChannel.map {
      $0 / Int64(information.format.sampleRate)
    }
    let answer = try CommandOutput(
      ofProbe: [
        "-select_streams", "a:\(information.track - 1)", "-read_intervals",
        "\(max(0, (length ?? 0) - 2))%", "-show_entries",
        "packet=pts:packet_side_data=discard_padding", "-of", "json",
      ], path, wakeup: wakeup)
    let packets = (try? JSONValue(reading: answer.output, depth: 16))?["packets"]?.elements
    return packets?.last?["side_data_list"]?.elements?
      .compactMap { $0["discard_padding"]?.number }.max() ?? 0
  }
}
