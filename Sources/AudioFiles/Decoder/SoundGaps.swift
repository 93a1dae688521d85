// SPDX-License-Identifier: Apache-2.0
/// The gaps in the time stamps of a sound whose packets are missing, and the end that the file states.
///
/// ffmpeg joins the samples around a gap. A filter that changes no sample prints each time stamp that lies off the end
/// of the frame before it, and it does so before the samples behind that place are written. Session thread only.
package final class SoundGaps {
  /// The silence that stands in the gaps so far, in samples per channel.
  package private(set) var silence: Int64 = 0
  /// The number of gaps so far.
  package private(set) var count = 0
  /// The first gap, in samples per channel from the beginning.
  package private(set) var first: Int64 = 0
  /// The first leap of the time stamps that is no gap: its place, and its length in samples per channel.
  package private(set) var leap: (position: Int64, length: Int64)?

  private let path: String
  private let information: DecodedFileInformation
  private let errors: ErrorLines
  private let wakeup: Wakeup?
  private var printed: [Double] = []
  /// The printed frames behind the last place, in order.
  private var next: [Frame] = []
  /// The number of streams that the filter has seen. The positions in the second one begin again.
  private var streamCount = 0
  /// The time stamps of the pictures, in seconds, once a step of those of the sound asked for them.
  private var pictures: [Double]?
  /// The time stamps are ahead of the samples by this, in samples per channel.
  private var ahead: Double = 0

  /// A frame whose time stamp lies off the end of the frame before; in samples per channel. Positions count the decoded
  /// samples.
  private struct Frame {
    let position: Int64
    let deviation, size, time: Double
  }

  init(
    of path: String, _ information: DecodedFileInformation, _ errors: ErrorLines, _ wakeup: Wakeup?
  ) {
    self.path = path
    self.information = information
    self.errors = errors
    self.wakeup = wakeup
  }

  /// Containers whose time stamps count independently of the samples. In AVI, and of FLAC in ASF, they do not.
  static let stamped: Set = [
    "asf", "flv", "live_flv", "matroska", "mov", "mpeg", "mpegts", "nut",
  ]
  /// Containers with one clock from the beginning to the end. Elsewhere recordings may follow one another.
  private static let steady: Set = ["matroska", "mov"]
  /// ffmpeg's `-dts_delta_threshold`, in seconds: a greater step may be another recording's beginning.
  private static let longestStep: Double = 10
  /// In seconds. EBU R 37: sound may be at most 40 ms early.
  private static let tolerance = 0.04
  private static let longestGap: Double = 86_400

  /// The filter; nil if the time stamps of the container tell nothing. It prints four numbers for a frame: its
  /// position, the difference between its time stamp and the end of the frame before, its negative length, and its time
  /// stamp, all in samples per channel. Fractions keep ffmpeg from summing up equal lines.
  static func filter(for demuxer: String, _ codec: String) -> String? {
    guard stamped.contains(demuxer), demuxer != "asf" || codec != "flac" else { return nil }
    let numbers = [
      "NB_CONSUMED_SAMPLES", "ld(1)+0.5", "-NB_SAMPLES", "PTS*TB*SR+0.25",
    ].map { "print(\($0),16)" }.joined(separator: ";")
    return "asetpts='st(1,PTS*TB*SR-ld(0));st(0,PTS*TB*SR+NB_SAMPLES);if(NB_CONSUMED_SAMPLES,"
      + "if(gte(abs(ld(1)),NB_SAMPLES/2),\(numbers)),print(\(restart),16));NB_CONSUMED_SAMPLES/SR/TB'"
  }

  /// The number printed where a stream begins, and where its format changes, which makes the positions begin again.
  private static let restart = -0.75

  /// Whether ffmpeg has printed more than is kept, so that further gaps may be unknown.
  package var isIncomplete: Bool {
    Self.filter(for: information.demuxer, information.codecName) != nil && errors.isFull
  }

  /// The number of decoded samples per channel in front of the next frame that was printed, or of the end: these may be
  /// read. Called once a sample has arrived that is not read yet.
  func barrier() -> Int64 {
    for number in errors.printedNumbers() {
      printed.append(number)
      if printed == [Self.restart] {
        streamCount += 1
        printed = []
      } else if printed.count == 4 {
        if streamCount == 1, let position = Int64(exactly: printed[0]) {
          next.append(
            Frame(
              position: position, deviation: printed[1] - 0.5, size: max(1, -printed[2]),
              time: printed[3]))
        }
        printed = []
      }
    }
    return min(next.first?.position ?? .max, information.end.map { $0 - silence } ?? .max)
  }

  /// Takes the silence that stands in front of the decoded sample at `position`, which has arrived; 0 if there is no gap.
  func takeSilence(at position: Int64) throws(AudioError) -> Int64 {
    guard let frame = next.first, frame.position == position else { return 0 }
    next.removeFirst()
    let rate = Double(information.format.sampleRate)
    ahead += frame.deviation
    // The time stamps begin again.
    if ahead < -rate / 2 { ahead = 0 }
    guard ahead >= Self.tolerance * rate else { return 0 }
    // Whole packets are missing, and a time stamp is as exact as its unit.
    let whole = (ahead / frame.size).rounded() * frame.size
    let length = (whole - ahead).magnitude <= max(1, information.tick) ? whole : ahead.rounded()
    let seconds = length / rate
    var isGap = seconds <= Self.longestStep || Self.steady.contains(information.demuxer)
    if !isGap { isGap = try picturesGoOn(for: seconds, to: frame.time / rate) }
    let place = position + silence + information.silenceInFront
    guard isGap, seconds <= Self.longestGap else {
      leap = leap ?? (place, Int64(min(length, 1e15)))
      ahead = 0
      return 0
    }
    ahead -= length
    if count == 0 { first = place }
    count += 1
    silence += Int64(length)
    return Int64(length)
  }

  /// Whether there are pictures within a step of the time stamps, in seconds: then the sound alone is missing.
  private func picturesGoOn(
    for length: Double, to end: Double
  ) throws(AudioError) -> Bool {
    if pictures == nil {
      let isVideo = information.videoCount > 0
      pictures = try isVideo ? pictureTimes() : []
    }
    return pictures?.contains { $0 > end - length + 1 && $0 < end - 1 } ?? false
  }

  private func pictureTimes() throws(AudioError) -> [Double] {
    let answer = try CommandOutput(
      ofProbe: ["-select_streams", "V:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0"],
      path, wakeup: wakeup)
    return String(decoding: answer.output, as: UTF8.self).split { $0 == "\n" || $0 == "," }
      .compactMap { Double($0).map { $0 - information.startTime } }
  }
}
