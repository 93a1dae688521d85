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

  /// Codecs whose stated rate is that of all packets.
  private static let constant: Set = ["ac3", "eac3", "wmav2"]

  /// Nil if the codec is lossless, and for the kinds of AAC that ffmpeg does not write: their rates are too low for the
  /// kind that it writes. Asks `ffprobe` about packets: a stated rate is the mean at best, which quiet places let fall.
  ///
  /// - Throws: `notFound` with `ffprobe` as the subject; `interrupted`.
  func lossyCoding(wakeup: Wakeup?) throws(AudioError) -> LossyCoding? {
    guard LossyCoding.codecs.contains(codec), !profile.hasPrefix("HE-AAC") else { return nil }
    func coding(_ bitRate: Int, _ mode: LossyCoding.Mode = .average) -> LossyCoding {
      LossyCoding(codec, bitRate, mode, channelCount: channelCount)
    }
    if Self.constant.contains(codec), let bitRate { return coding(bitRate) }
    let start = max(0, ((duration ?? 0) - Self.measured) / 2)
    let answer = try CommandOutput(
      ofProbe: [
        "-select_streams", "a:\(number - 1)", "-read_intervals", "\(start)%+\(Self.measured)",
        "-show_entries", "packet=pts_time,duration_time,size", "-of", "csv=p=0",
      ], path, wakeup: wakeup)
    let packets = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: ",").map { Double($0) } }
      .compactMap { fields -> (start: Double, length: Double, size: Double)? in
        guard fields.count > 2, let start = fields[0], let size = fields[2] else { return nil }
        return (start, fields[1] ?? 0, size)
      }
    var rate = PacketRate()
    for (index, packet) in packets.enumerated() {
      // Durations are rounded more coarsely than the times between packets.
      let next = index + 1 < packets.count ? packets[index + 1].start : nil
      rate.add(Int(packet.size), seconds: next.map { $0 - packet.start } ?? packet.length)
    }
    guard let bitRate = rate.bitRate else { return nil }
    let sizes = packets.map(\.size)
    // A frame of MP3 may have a byte of padding.
    let isConstant = (sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1
    return coding(bitRate, codec == "mp3" && isConstant ? .constant : .average)
  }
}
