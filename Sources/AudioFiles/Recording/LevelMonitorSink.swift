// SPDX-License-Identifier: Apache-2.0
/// The loudness of a tenth of a second of a stream, channel by channel.
package struct MonitoredLevel: Sendable, Hashable {
  /// The position of its first sample, in samples per channel from the start of the stream.
  package var position: Int64
  package var samplesPerChannel: Int64
  /// In hertz.
  package var sampleRate: Int
  /// In the order of the stream.
  package var channels: [Channel]

  package init(
    position: Int64, samplesPerChannel: Int64, sampleRate: Int, channels: [Channel] = []
  ) {
    self.position = position
    self.samplesPerChannel = samplesPerChannel
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// The loudness of one channel. The mean of the tenth of a second is no sound: a dead microphone may give a constant.
  /// NaN is skipped.
  package struct Channel: Sendable, Hashable {
    /// The largest magnitude; 1 = full scale.
    package var peak = 0.0
    /// The largest distance from the mean.
    package var soundPeak = 0.0
    /// The mean of its samples.
    package var mean = 0.0
    /// The levels of its hundredths of a second, in order.
    package var levels: [Level] = []
    /// The largest number of consecutive samples at full scale.
    package var longestClipping = 0

    package init() {}
  }

  package struct Level: Sendable, Hashable {
    package var samplesPerChannel: Int64
    /// The mean of the squares of the distances from the mean of the tenth of a second.
    package var meanSquare: Double

    package init(samplesPerChannel: Int64, meanSquare: Double) {
      self.samplesPerChannel = samplesPerChannel
      self.meanSquare = meanSquare
    }
  }

  /// The position behind its last sample.
  package var end: Int64 { position + samplesPerChannel }
}

/// Passes everything on to another sink and measures its loudness.
///
/// Writing thread only.
package final class LevelMonitorSink: WrappingSink {
  package let sink: any AudioSink
  private let onStretch: (MonitoredLevel) -> Void
  private var format: StreamFormat?
  private var position: Int64 = 0
  private var length: Int64 = 1
  private var measured: Int64 = 0
  private static let levelsPerStretch: Int64 = 10
  /// The complete hundredths of a second of the stretch.
  private var levelCount: Int64 = 0
  /// The start of the current level within the stretch.
  private var levelStart: Int64 = 0
  private var tallies: [ChannelWatch] = []

  /// - Parameter onStretch: called with every whole tenth of a second, in order.
  package init(_ sink: any AudioSink, onStretch: @escaping (MonitoredLevel) -> Void) {
    self.sink = sink
    self.onStretch = onStretch
  }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    length = max(1, Int64(format.sampleRate / 10))
    tallies = Array(repeating: ChannelWatch(), count: format.channelCount)
    return format
  }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    var start = 0
    while start < samples.count {
      let left = Int64((samples.count - start) / tallies.count)
      let count = Int(min(left, levelEnd - measured))
      let end = start + count * tallies.count
      let fullScale = ChannelTally.fullScale
      switch samples.extracting(start..<end).known {
      case .single(let part): watch(part, fullScale: Float(fullScale), &tallies)
      case .double(let part): watch(part, fullScale: fullScale, &tallies)
      }
      measured += Int64(count)
      start = end
      if measured == levelEnd { measureLevel() }
      if measured == length { tell() }
    }
    return try sink.write(samples)
  }

  package func appendSilence(_ length: Int64) -> Bool { false }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    if case .leftOut(upTo: let position) = notice {
      // The tenth of a second that has begun is not whole.
      self.position = position
      (measured, levelStart, levelCount) = (0, 0, 0)
      for index in tallies.indices { tallies[index] = ChannelWatch() }
    }
    try sink.receive(notice)
  }

  /// The end of the current hundredth of a second within the stretch.
  private var levelEnd: Int64 {
    let number = levelCount
    // At a rate that is no multiple of 100, the lengths differ by a sample.
    return number + 1 == Self.levelsPerStretch
      ? length : max(levelStart + 1, length * (number + 1) / Self.levelsPerStretch)
  }

  private func measureLevel() {
    for index in tallies.indices { tallies[index].endLevel() }
    levelStart = measured
    levelCount += 1
  }

  private func tell() {
    var stretch = MonitoredLevel(
      position: position, samplesPerChannel: length, sampleRate: format?.sampleRate ?? 1)
    for index in tallies.indices { stretch.channels.append(tallies[index].takeChannel()) }
    position += length
    (measured, levelStart, levelCount) = (0, 0, 0)
    onStretch(stretch)
  }
}

private struct ChannelWatch {
  /// The sums of a hundredth of a second.
  struct Sums {
    var samplesPerChannel: Int64 = 0
    /// The samples that are numbers; the sums are over these.
    var count: Int64 = 0
    var sum = 0.0
    var squares = 0.0
  }

  var present = Sums()
  var largest = -Double.infinity
  var smallest = Double.infinity
  /// The current number of consecutive samples at full scale.
  var run = 0
  var longestRun = 0
  private var complete: [Sums] = []

  mutating func endLevel() {
    complete.append(present)
    present = Sums()
  }

  /// Ends the tenth of a second.
  mutating func takeChannel() -> MonitoredLevel.Channel {
    var channel = MonitoredLevel.Channel()
    let count = complete.reduce(0) { $0 + $1.count }
    if count > 0 {
      let mean = complete.reduce(0) { $0 + $1.sum } / Double(count)
      channel.mean = mean
      channel.peak = max(abs(largest), abs(smallest))
      channel.soundPeak = max(largest - mean, mean - smallest)
      channel.levels = complete.map { sums in
        let count = Double(sums.count)
        let squares = sums.squares - mean * (2 * sums.sum - mean * count)
        return .init(
          samplesPerChannel: sums.samplesPerChannel,
          meanSquare: count > 0 ? max(0, squares / count) : 0)
      }
    }
    channel.longestClipping = longestRun
    self = ChannelWatch(run: run)
    return channel
  }

  init(run: Int = 0) { self.run = run }
}

private func watch<Sample: AudioSample>(
  _ samples: Span<Sample>, fullScale: Sample, _ tallies: inout [ChannelWatch]
) {
  let channelCount = tallies.count
  for channel in 0..<channelCount {
    // Locals keep the sums in registers.
    var (largest, smallest) = (tallies[channel].largest, tallies[channel].smallest)
    var sums = tallies[channel].present
    var (run, longestRun) = (tallies[channel].run, tallies[channel].longestRun)
    var index = channel
    while index < samples.count {
      let sample = samples[index]
      index += channelCount
      sums.samplesPerChannel += 1
      // NaN counts as neither loud nor silent.
      if sample != sample { continue }
      let value = Double(sample)
      largest = max(largest, value)
      smallest = min(smallest, value)
      sums.count += 1
      sums.sum += value
      sums.squares += value * value
      if abs(sample) >= fullScale {
        run += 1
        longestRun = max(longestRun, run)
      } else {
        run = 0
      }
    }
    (tallies[channel].largest, tallies[channel].smallest) = (largest, smallest)
    tallies[channel].present = sums
    tallies[channel].run = run
    tallies[channel].longestRun = longestRun
  }
}
