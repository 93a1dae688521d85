// SPDX-License-Identifier: Apache-2.0
/// The part of a recording that is being written.
final class OpenedPart {
  let sink: SoundFileSink
  let path: String
  /// The position of its first sample in the stream.
  var position: Int64
  /// The time of its first sample, in nanoseconds since 1970; nil if unknown.
  var time: Int64?
  /// The second in its name.
  let namedAt: Int
  /// Whether its file is kept.
  var isComplete = false
  /// The folders created for it.
  private let folders: [Pathname]
  private(set) var samplesPerChannel: Int64 = 0
  /// A number of samples per channel known to fit.
  private var fitting: Int64 = 0
  private let channelCount: Int
  private let sampleRate: Int

  init(
    _ sink: SoundFileSink, _ path: String, at position: Int64, time: Int64?, namedAt: Int,
    folders: [Pathname]
  ) {
    self.sink = sink
    self.path = path
    self.position = position
    self.time = time
    self.namedAt = namedAt
    self.folders = folders
    channelCount = sink.format?.channelCount ?? 1
    sampleRate = sink.format?.sampleRate ?? 1
  }

  /// Releases the file. Removes the created folders, too, if the file was not kept.
  func dispose() {
    sink.dispose()
    if !isComplete { PartFolders.remove(folders) }
  }

  var isEmpty: Bool { samplesPerChannel == 0 }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    let status = try sink.write(samples)
    let count = Int64(samples.count / channelCount)
    samplesPerChannel += count
    fitting -= count
    return status
  }

  /// Puts the stream's marks within this part into its file. Drops earlier marks: their samples were left out.
  func take(_ marks: PendingMarks) {
    for mark in marks.take(before: position + samplesPerChannel, at: sampleRate) {
      let place = AudioTime.nearest(mark.position, from: mark.sampleRate, to: sampleRate)
      guard place >= position else { continue }
      sink.mark(place - position, at: sampleRate, label: mark.label)
    }
  }

  /// The number of further samples per channel known to fit; 0 if the file is full.
  func samplesPerChannelThatFit(in limit: Int64) throws(AudioError) -> Int64 {
    if fitting <= 0 { fitting = try sink.samplesPerChannelThatFit(in: limit) }
    return fitting
  }
}

/// The lengths of parts of one duration, in samples. Their ends are rounded, not their lengths, so that errors do not
/// add up.
struct PartDurations {
  private let duration: TimePosition
  private let sampleRate: Int
  /// The number of earlier parts of this duration.
  private var number = 0
  /// The length of the current part.
  private var length: Int64

  /// - Throws: `invalidParameter` if a part would have no sample.
  init(_ duration: TimePosition, sampleRate: Int) throws(AudioError) {
    self.duration = duration
    self.sampleRate = sampleRate
    length = try duration.length(at: sampleRate, as: "part length")
    guard length > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "use part length", "\(duration)",
        because: "it is shorter than a sample")
    }
  }

  func remaining(after samplesPerChannel: Int64) -> Int64 { max(0, length - samplesPerChannel) }

  /// For the part after a complete one.
  var next: PartDurations {
    var next = self
    next.number += 1
    next.length = end(of: next.number) - end(of: number)
    return next
  }

  /// For the part after one that ended early.
  var restarted: PartDurations {
    var first = self
    first.number = 0
    first.length = end(of: 0)
    return first
  }

  /// The end of the part, counted from the beginning of the first.
  private func end(of number: Int) -> Int64 {
    switch duration {
    case .samples(let count): count * Int64(number + 1)
    case .time(let time): TimePosition.time(time * (number + 1)).samples(at: sampleRate)
    }
  }
}
