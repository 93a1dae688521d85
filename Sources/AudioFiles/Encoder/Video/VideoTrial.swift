// SPDX-License-Identifier: Apache-2.0
/// Finds the streams of a video that ffmpeg cannot write into a container, by writing their beginning.
///
/// Each version of ffmpeg writes others, and it writes some as broken ones without an error: timed metadata of QuickTime
/// gets another name.
struct VideoTrial {
  let path: String
  /// ffmpeg's demuxer of the video.
  let demuxer: String
  let container: EncodedContainer

  /// The length of the video that is written, in seconds. A stream without a packet there is tried by its header alone.
  private static let length = 5

  /// - Throws: `notFound` with `ffmpeg` as the subject; `interrupted`.
  func refused(
    _ streams: [VideoContent.Stream], wakeup: Wakeup?
  ) throws(AudioError) -> [VideoContent.Stream] {
    guard !streams.isEmpty, try !areWritten(streams, wakeup) else { return [] }
    guard streams.count > 1 else { return streams }
    var refused: [VideoContent.Stream] = []
    for stream in streams {
      guard try !areWritten([stream], wakeup) else { continue }
      refused.append(stream)
    }
    return refused
  }

  private func areWritten(
    _ streams: [VideoContent.Stream], _ wakeup: Wakeup?
  ) throws(AudioError) -> Bool {
    let file = try SpooledFile.empty(named: FFmpeg.program)
    // The pictures make it a file that is read as a whole: one with an attachment alone has no end.
    var words = ["-map", "0:V:0"]
    for (number, stream) in streams.enumerated() {
      words += ["-map", "0:\(stream.index)"]
      words += ["-map_metadata:s:\(number + 1)", "0:s:\(stream.index)"]
    }
    words += [
      "-map_chapters", "-1", "-c", "copy", "-strict", "experimental", "-t", "\(Self.length)",
    ]
    for (number, stream) in streams.enumerated() {
      if let codec = stream.conversion { words += ["-c:\(number + 1)", codec] }
    }
    words += ["-fflags", "+bitexact", "-f", container.muxer, "file:" + file.pathForOthers]
    let arguments =
      ["-nostdin", "-v", "error", "-y"].map { Pathname($0) }
      + DecodedContainer.input(path, demuxer) + words.map { Pathname($0) }
    let answer = try CommandOutput(of: FFmpeg.program, arguments, wakeup: wakeup)
    guard answer.ending.isSuccess else { return false }
    guard let written = try VideoContent.read(file.pathForOthers, wakeup: wakeup).content else {
      return false
    }
    return zip(streams, written.streams.dropFirst()).allSatisfy { $0.isWritten(as: $1) }
      && (written.streams.count > streams.count || streams.contains(where: \.mayHaveNoPacket))
  }
}

extension VideoContent.Stream {
  /// Whether a file with the beginning of the stream may lack it. MP4 has no stream without packets.
  fileprivate var mayHaveNoPacket: Bool { kind == "subtitle" || kind == "data" }

  /// Whether `other` is the stream in another file. Where ffmpeg knows no codec, the container's name for it tells.
  func isWritten(as other: VideoContent.Stream) -> Bool {
    guard kind == other.kind else { return false }
    if let conversion { return conversion == other.codec }
    return codec.isEmpty || other.codec.isEmpty
      ? codec == other.codec && tag == other.tag : codec == other.codec
  }
}
