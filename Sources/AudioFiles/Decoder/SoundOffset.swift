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
