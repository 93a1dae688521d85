// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The settings of a limiter.
package struct LimiterSetting: Sendable, Hashable {
  /// The highest true peak of the output, in dBTP.
  package var limit: Double
  /// How far ahead of a peak the gain begins to fall, in seconds.
  package var lookahead: Double
  /// The time of the gain for 1 − 1 ⁄ e of the way back, in seconds.
  package var release: Double

  package init(limit: Double, lookahead: Double = 0.005, release: Double = 0.1) {
    self.limit = limit
    self.lookahead = lookahead
    self.release = release
  }

  /// The distance of peaks below the limit, in decibels: the slope of the gain, and places between the inspected ones,
  /// may add as much.
  package static let margin = 0.1

  /// The window in sample frames; at least one.
  func window(at sampleRate: Int) -> Int {
    max(1, Int((lookahead * Double(sampleRate)).rounded()))
  }

  /// The delay of a stream in the limiter, in samples per channel.
  package func latency(at sampleRate: Int) -> Int {
    window(at: sampleRate) - 1 + PeakFinder.delay(at: sampleRate)
  }
}

/// Counts the work of limiters.
package final class LimiterStatistics: Sendable {
  private let state = Mutex((least: 1.0, frames: Int64(0)))

  package init() {}

  /// The least gain, as a factor.
  package var leastGain: Double { state.withLock { $0.least } }
  /// The number of limited sample frames.
  package var limitedFrames: Int64 { state.withLock { $0.frames } }

  func add(_ least: Double, _ frames: Int64) {
    state.withLock { $0 = (min($0.least, least), $0.frames + frames) }
  }
}

/// Keeps the true peak of a stream (ITU-R BS.1770-4, annex 2: see ``PeakFinder``) at or below a limit, by one smooth gain
/// for all channels.
///
/// The stream keeps its position and its length: the limiter holds the look-ahead back. Samples pass bit for bit while
/// none exceeds the limit. NaN and infinite samples require no gain.
package final class LimiterStage<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  private let tally: LimiterStatistics
  /// The limit as a factor.
  private let limit: Float
  private let finder: PeakFinder
  private let gain: LimiterGain
  /// Samples that are held back.
  private let held: DelayBuffer<Sample>
  private let silence = SampleQueue<Sample>()
  /// Sample frames still to be held back before the first one goes on.
  private var ahead: Int
  private var factors: [Double]

  private static var blockLength: Int { 512 }

  package init(format: StreamFormat, _ setting: LimiterSetting, tally: LimiterStatistics = .init())
  {
    inputFormat = format
    self.tally = tally
    let rate = format.sampleRate
    limit = Float(Decibels.factor(setting.limit - LimiterSetting.margin))
    finder = PeakFinder(format, threshold: limit, length: Self.blockLength)
    gain = LimiterGain(
      window: setting.window(at: rate), limit: limit, release: setting.release * Double(rate))
    ahead = setting.window(at: rate) - 1 + finder.delay
    held = DelayBuffer(expectedCount: (ahead + Self.blockLength) * format.channelCount)
    factors = Array(repeating: 1, count: Self.blockLength)
  }

  package var isFinished: Bool { held.isEmpty }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    held.append(input)
    advance(input, into: output)
  }

  package func finish(into output: SampleQueue<Sample>) {
    guard !held.isEmpty else { return }
    let silence = silence
    if silence.isEmpty { silence.appendSilence(Self.blockLength * inputFormat.channelCount) }
    advance(silence.readable, into: output)
  }

  private func advance(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    var place = 0
    while place < input.count {
      let (taken, count, isLoud) = finder.find(in: input, from: place)
      place += taken
      if isLoud || !gain.isAtRest {
        limitBlock(isLoud: isLoud, count, into: output)
      } else {
        move(count, to: output)
      }
    }
  }

  /// Moves as many sample frames on as have come, once enough are held.
  private func move(_ count: Int, to output: SampleQueue<Sample>) {
    let early = min(ahead, count)
    ahead -= early
    let width = inputFormat.channelCount
    held.move(min(count - early, held.count / width) * width, to: output)
  }

  private func limitBlock(isLoud: Bool, _ count: Int, into output: SampleQueue<Sample>) {
    writeFactors(isLoud: isLoud, count)
    let begin = output.count
    move(count, to: output)
    let width = inputFormat.channelCount
    let moved = (output.count - begin) / width
    var least = 1.0
    var limited: Int64 = 0
    let factors = factors
    for index in 0..<moved {
      let factor = factors[index]
      least = min(least, factor)
      if factor < 1 { limited += 1 }
    }
    guard limited > 0 else { return }
    tally.add(least, limited)
    var samples = output.writable(begin..<output.count)
    Sample.scale(&samples, frames: width, by: factors)
  }

  /// Writes the gains of the next `count` sample frames, but not of those in front of the stream.
  private func writeFactors(isLoud: Bool, _ count: Int) {
    let early = min(ahead, count)
    unsafe factors.withUnsafeMutableBufferPointer { buffer in
      guard let factors = buffer.baseAddress else { return }
      let peaks = unsafe isLoud ? finder.peaks : nil
      unsafe gain.write(peaks, early, to: factors)
      unsafe gain.write(peaks.map { unsafe $0 + early }, count - early, to: factors)
    }
  }
}
