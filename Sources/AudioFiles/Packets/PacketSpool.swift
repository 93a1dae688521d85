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
    return file
  }
}
