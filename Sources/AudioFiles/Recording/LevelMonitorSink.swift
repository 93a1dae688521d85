// SPDX-License-Identifier: Apache-2.0
/// The loudness of a tenth of a second of a stream, by its loudest channel.
package struct MonitoredLevel: Sendable, Hashable {
  /// The position of its first sample, in samples per channel from the start of the stream.
  package var position: Int64
  package var samplesPerChannel: Int64
  /// In hertz.
  package var sampleRate: Int
  /// The largest magnitude; 1 = full scale. NaN is skipped.
  package var peak: Double
  /// The levels of its hundredths of a second, in order.
  package var levels: [Level]
  /// The largest number of consecutive samples at full scale in one channel.
  package var longestClipping: Int

  package init(
    position: Int64, samplesPerChannel: Int64, sampleRate: Int, peak: Double = 0,
    levels: [Level] = [], longestClipping: Int = 0
  ) {
    self.position = position
    self.samplesPerChannel = samplesPerChannel
    self.sampleRate = sampleRate
    self.peak = peak
    self.levels = levels
    self.longestClipping = longestClipping
  }

  package struct Level: Sendable, Hashable {
    package var samplesPerChannel: Int64
    /// The mean of the squares of the loudest channel.
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
  private var levels: [MonitoredLevel.Level] = []
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
      (measured, levelStart) = (0, 0)
      levels.removeAll(keepingCapacity: true)
      for index in tallies.indices { tallies[index] = ChannelWatch() }
    }
    try sink.receive(notice)
  }

  /// The end of the current hundredth of a second within the stretch.
  private var levelEnd: Int64 {
    let number = Int64(levels.count)
    // At a rate that is no multiple of 100, the lengths differ by a sample.
    return number + 1 == Self.levelsPerStretch
      ? length : max(levelStart + 1, length * (number + 1) / Self.levelsPerStretch)
  }

  private func measureLevel() {
    let count = measured - levelStart
    let squares = tallies.reduce(0) { max($0, $1.squares) }
    levels.append(.init(samplesPerChannel: count, meanSquare: squares / Double(count)))
    levelStart = measured
    for index in tallies.indices { tallies[index].squares = 0 }
  }

  private func tell() {
    var stretch = MonitoredLevel(
      position: position, samplesPerChannel: length, sampleRate: format?.sampleRate ?? 1,
      levels: levels)
    for index in tallies.indices {
      stretch.peak = max(stretch.peak, tallies[index].peak)
      stretch.longestClipping = max(stretch.longestClipping, tallies[index].longestRun)
      tallies[index] = ChannelWatch(run: tallies[index].run)
    }
    position += length
    (measured, levelStart) = (0, 0)
    levels.removeAll(keepingCapacity: true)
    onStretch(stretch)
  }
}

private struct ChannelWatch {
  var peak = 0.0
  var squares = 0.0
  /// The current number of consecutive samples at full scale.
  var run = 0
  var longestRun = 0
}

private func watch<Sample: AudioSample>(
  _ samples: Span<Sample>, fullScale: Sample, _ tallies: inout [ChannelWatch]
) {
  let channelCount = tallies.count
  for channel in 0..<channelCount {
    // Locals keep the sums in registers.
    var largest: Sample = 0
    var squares: Sample = 0
    var (run, longestRun) = (tallies[channel].run, tallies[channel].longestRun)
    var index = channel
    while index < samples.count {
      let magnitude = abs(samples[index])
      index += channelCount
      // NaN counts as neither loud nor silent.
      if magnitude != magnitude { continue }
      if magnitude > largest { largest = magnitude }
      squares += magnitude * magnitude
      if magnitude >= fullScale {
        run += 1
        longestRun = max(longestRun, run)
      } else {
        run = 0
      }
    }
    tallies[channel].peak = max(tallies[channel].peak, Double(largest))
    tallies[channel].squares += Double(squares)
    tallies[channel].run = run
    tallies[channel].longestRun = longestRun
  }
}
