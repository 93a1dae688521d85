// SPDX-License-Identifier: Apache-2.0
/// By how much the sound of a film begins later than its pictures, from ffprobe's words.
///
/// It counts from the beginning of the container, which is where ffmpeg lets a file begin when it puts another sound
/// beside its pictures.
struct SoundOffset {
  /// Seconds.
  private let beginning: Double
  private let stream: Double
  private let longest: Double

  /// - Returns: nil where the sound does not begin later than the pictures, or nothing is said of that.
  init?(of sound: String?, in container: String?, videos: [String?], duration: String?) {
    guard let stream = sound.flatMap({ Double($0) }), stream.isFinite,
      let video = videos.compactMap({ $0.flatMap { Double($0) } }).min(), video < stream
    else { return nil }
    self.stream = stream
    beginning = min(video, container.flatMap { Double($0) } ?? video)
    longest = duration.flatMap { Double($0) } ?? .infinity
  }

  /// In samples per channel: a decoder may leave out the beginning of its stream, so the first that it gives is
  /// asked for its time.
  ///
  /// - Returns: 0 for more than the container lasts, which is no offset but a fault.
  /// - Throws: `interrupted`.
  func samples(
    at sampleRate: Int, of url: Pathname, track: Int, wakeup: Wakeup?
  ) throws(AudioError) -> Int64 {
    let answer = try ProgramAnswer(
      of: DecodedFileInformation.program,
      [
        "-v", "error", "-protocol_whitelist", "file", "-format_whitelist", DecodedContainer.list,
        "-select_streams", "a:\(track - 1)", "-read_intervals", "%+#8", "-show_entries",
        "frame=best_effort_timestamp_time", "-of", "csv=p=0",
      ].map { Pathname($0) } + [url], wakeup: wakeup)
    let first = String(decoding: answer.output, as: UTF8.self)
      .split { $0 == "\n" || $0 == "," }.first.flatMap { Double($0) }
    let offset = (first ?? stream) - beginning
    // The first of these is also true of what is not a number.
    guard offset > 0, offset <= longest, offset < 1e9 else { return 0 }
    return Int64((offset * Double(sampleRate)).rounded())
  }
}
