// SPDX-License-Identifier: Apache-2.0
/// The offset of a video's sound behind its pictures, from ffprobe's output.
///
/// It counts from the beginning of the container. ffmpeg starts a file there if it adds another sound to its pictures.
struct SoundOffset {
  /// In seconds.
  private let beginning: Double
  private let stream: Double
  private let longest: Double

  /// - Returns: nil if the sound does not begin later than the pictures, or a time is missing.
  init?(of sound: String?, in container: String?, videos: [String?], duration: String?) {
    guard let stream = sound.flatMap({ Double($0) }), stream.isFinite,
      let video = videos.compactMap({ $0.flatMap { Double($0) } }).min(), video < stream
    else { return nil }
    self.stream = stream
    beginning = min(video, container.flatMap { Double($0) } ?? video)
    longest = duration.flatMap { Double($0) } ?? .infinity
  }

  /// The offset in samples per channel. A decoder may skip the beginning of its stream, so this measures the time of
  /// its first frame.
  ///
  /// - Returns: 0 for an offset beyond the container's end, which is a fault.
  /// - Throws: `interrupted`.
  func samples(
    at sampleRate: Int, of path: String, track: Int, wakeup: Wakeup?
  ) throws(AudioError) -> Int64 {
    let answer = try CommandOutput(
      ofProbe: [
        "-select_streams", "a:\(track - 1)", "-read_intervals", "%+#8", "-show_entries",
        "frame=best_effort_timestamp_time", "-of", "csv=p=0",
      ], path, wakeup: wakeup)
    let first = String(decoding: answer.output, as: UTF8.self)
      .split { $0 == "\n" || $0 == "," }.first.flatMap { Double($0) }
    let offset = (first ?? stream) - beginning
    // NaN fails the first comparison.
    guard offset > 0, offset <= longest, offset < 1e9 else { return 0 }
    return Int64((offset * Double(sampleRate)).rounded())
  }
}

/// The unit in which an MPEG-4 file states the length of its sound.
///
/// AAC has frames of 1024 samples, and an edit list states how many of them count. ffmpeg drops the delay in front by
/// it, but does not drop samples behind the end. Source: ISO/IEC 14496-12, 8.2.2 and 8.6.6.
enum MovieTimescale {
  /// Units per second; nil if the first boxes contain no header.
  static func ofFile(_ file: FileWindow) throws(AudioError) -> Int? {
    guard let movie = try MovieBoxes.first("moov", in: file, file.range),
      let header = try MovieBoxes.first("mvhd", in: file, movie)
    else { return nil }
    let bytes = try file.bytes(24, at: header.lowerBound)
    guard bytes.count == 24 else { return nil }
    // Version 1 has times of eight bytes.
    return Int(bytes.integer(at: bytes[0] == 1 ? 20 : 12, 4, .big))
  }
}
