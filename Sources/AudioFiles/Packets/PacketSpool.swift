// SPDX-License-Identifier: Apache-2.0
/// Packets of MP3, Vorbis or Opus that ffmpeg takes out of a container, in a file of our own kinds without a name.
enum PacketSpool {
  /// - Parameter times: of the packets, if the container states them.
  /// - Throws: `inputOutput` if ffmpeg fails; `notFound` with `ffmpeg` as the subject; `unsupported` if sound is missing;
  ///   `interrupted`.
  static func file(
    with information: DecodedFileInformation, _ times: PacketTimes?, of path: String,
    _ wakeup: Wakeup
  ) throws(AudioError) -> FileDescriptor {
    let file = try SpooledFile.empty(named: path)
    let muxer = information.codecName == "mp3" ? "mp3" : "ogg"
    var words = ["-map", "0:a:\(information.track - 1)", "-c", "copy", "-map_metadata", "-1"]
    if muxer == "mp3" { words += ["-id3v2_version", "0", "-write_xing", "0"] }
    words += ["-fflags", "+bitexact", "-f", muxer, "file:" + file.pathForOthers]
    try FFmpeg.copy(information, at: path, words, named: path, wakeup)
    guard let times else { return file }
    let exact = try SpooledFile.empty(named: path)
    let window = try FileWindow(of: file, 0..<file.size())
    if muxer == "mp3" {
      guard times.skipped + times.surplus > 0 else { return file }
      try writeFrames(of: file, window, times, to: PacketWriting(exact, of: nil, wakeup) { _ in })
    } else {
      try writePages(in: window, information, times, to: exact)
    }
    try exact.rewind()
    return exact
  }

  /// Writes a stream of MP3 whose encoder's header states its beginning and its end.
  private static func writeFrames(
    of file: FileDescriptor, _ window: FileWindow, _ times: PacketTimes, to exact: PacketWriting
  ) throws(AudioError) {
    guard let stream = try MpegStream(in: window, from: 0, searching: true) else { return }
    let end = stream.samplesPerChannel - times.surplus
    let cut = try MpegCut(
      stream, times.skipped..<max(times.skipped + 1, end), named: exact.output.name)
    try exact.write(cut.beginning)
    try exact.copy(cut.parts, of: file)
  }

  /// Writes a stream of Vorbis or Opus with true positions: ffmpeg derives them from times of milliseconds, and leaves the
  /// surplus at the end in.
  private static func writePages(
    in window: FileWindow, _ information: DecodedFileInformation, _ times: PacketTimes,
    to exact: FileDescriptor
  ) throws(AudioError) {
    let codec: OggCodec = information.codecName == "opus" ? .opus : .vorbis
    let cut = try OggCut(
      codec, in: window, window.range, named: exact.name, skipped: times.skipped)
    let rate = codec == .opus ? 48_000 : Double(information.format.sampleRate)
    // A time of Vorbis is that of the packet's first half.
    let length = { Double(max(cut.length(ofPacket: $0), cut.length(ofPacket: $0 + 1))) / rate }
    if times.haveGap(length: length) {
      throw PacketSound.refusal(of: exact.name, PacketSound.gap)
    }
    try cut.write(0..<max(1, cut.samplesPerChannel - times.surplus)) {
      (bytes) throws(AudioError) in _ = try exact.write(bytes)
    }
  }
}
