// SPDX-License-Identifier: Apache-2.0
/// The times of the packets of a sound track, and the samples at its ends that do not count, as ffprobe lists them.
struct PacketTimes {
  /// In seconds.
  private(set) var times: [Double] = []
  /// The samples per channel that a decoder leaves out in front of the sound.
  private(set) var skipped: Int64 = 0
  /// The samples per channel that the last packet has behind the end of the sound.
  private(set) var surplus: Int64 = 0

  /// The times of more than a day.
  static let mostBytes = 1 << 26
  /// In seconds: as much as is replaced by silence where a sound is decoded (``SoundGaps``).
  private static let tolerance = 0.04

  /// - Parameter end: in seconds from the beginning; nil = all.
  /// - Throws: `notFound` if there is no ffprobe; `interrupted`.
  init(
    of information: DecodedFileInformation, in path: String, upTo end: Double? = nil,
    _ wakeup: Wakeup
  ) throws(AudioError) {
    let answer = try CommandOutput(
      ofProbe: ["-select_streams", "a:\(information.track - 1)"]
        + (end.map { ["-read_intervals", "%+\($0)"] } ?? []) + [
          "-show_entries", "packet=pts_time:packet_side_data=skip_samples,discard_padding",
          "-of", "default=nw=1",
        ], path, atMost: Self.mostBytes, wakeup: wakeup)
    for line in answer.output.split(separator: UInt8(ascii: "\n")) {
      let parts = String(decoding: line, as: UTF8.self).split(separator: "=")
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "pts_time": times += Double(parts[1]).map { [$0] } ?? []
      case "skip_samples": if times.count == 1 { skipped = Int64(parts[1]) ?? 0 }
      case "discard_padding": surplus = Int64(parts[1]) ?? 0
      default: break
      }
    }
  }

  /// Whether sound is missing between two packets.
  ///
  /// - Parameter length: of each packet, in seconds.
  func haveGap(length: (_ index: Int) -> Double) -> Bool {
    zip(times, times.dropFirst()).enumerated().contains { index, pair in
      pair.1 - pair.0 - length(index) >= Self.tolerance
    }
  }

  /// Whether the packets have so many samples per channel each.
  func areSteady(of size: Int64, at sampleRate: Int) -> Bool {
    guard let first = times.first, let last = times.last else { return false }
    let length = Double(size) / Double(sampleRate)
    let whole = length * Double(times.count - 1)
    return abs(last - first - whole) < max(length, whole / 100)
  }
}

extension DecodedFileInformation {
  /// The samples per channel of each packet; nil if they differ, or are unknown.
  ///
  /// Sources: ISO/IEC 14496-3, 4.5.1.1 (AAC; twice as many behind the replication of the spectrum), ATSC A/52 (AC-3), ISO/IEC
  /// 11172-3 and 13818-3 (layer III), and the usual size of ALAC.
  var samplesPerPacket: Int64? {
    switch codecName {
    case "aac" where ["LC", "Main", "SSR", "LTP"].contains(coded.profile): 1_024
    case "aac" where coded.profile.hasPrefix("HE-AAC"): 2_048
    case "ac3": 1_536
    case "alac": 4_096
    case "mp3": format.sampleRate >= 32_000 ? 1_152 : 576
    default: nil
    }
  }
}
