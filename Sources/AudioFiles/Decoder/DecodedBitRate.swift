// SPDX-License-Identifier: Apache-2.0
/// A sound track, as ffprobe lists it.
struct DecodedTrack {
  let path: String
  /// From 1.
  let number: Int
  /// ffmpeg's names.
  let codec: String
  let profile: String
  let channelCount: Int
  /// In bits per second; nil = unknown.
  let bitRate: Int?
  /// Of the file, in seconds; nil = unknown.
  let duration: Double?

  /// The length of sound that tells the mean bit rate, in seconds.
  private static let measured = 120.0

  /// Nil if the codec is lossless, and for the kinds of AAC that ffmpeg does not write: their rates are too low for the
  /// kind that it writes. Asks `ffprobe` about packets if the file does not state the rate.
  ///
  /// - Throws: `notFound` with `ffprobe` as the subject; `interrupted`.
  func lossyCoding(wakeup: Wakeup?) throws(AudioError) -> LossyCoding? {
    guard LossyCoding.codecs.contains(codec), !profile.hasPrefix("HE-AAC") else { return nil }
    func coding(_ bitRate: Int, _ mode: LossyCoding.Mode = .average) -> LossyCoding {
      LossyCoding(codec, bitRate, mode, channelCount: channelCount)
    }
    // Of MP3 ffprobe states the rate of the first frame.
    if codec != "mp3", let bitRate { return coding(bitRate) }
    let start = max(0, ((duration ?? 0) - Self.measured) / 2)
    let answer = try CommandOutput(
      ofProbe: [
        "-select_streams", "a:\(number - 1)", "-read_intervals", "\(start)%+\(Self.measured)",
        "-show_entries", "packet=pts_time,duration_time,size", "-of", "csv=p=0",
      ], path, wakeup: wakeup)
    let packets = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",").map { Double($0) } }
    guard let first = packets.first?.first ?? nil, let last = packets.last, last.count > 2,
      let place = last[0], let length = last[1], place + length > first
    else { return nil }
    let sizes = packets.compactMap { $0.count > 2 ? $0[2] : nil }
    let bitRate = Int((sizes.reduce(0, +) * 8 / (place + length - first)).rounded())
    // A frame of MP3 may have a byte of padding.
    let isConstant = (sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1
    return coding(bitRate, codec == "mp3" && isConstant ? .constant : .average)
  }
}
