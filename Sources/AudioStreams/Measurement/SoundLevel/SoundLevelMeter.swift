// SPDX-License-Identifier: Apache-2.0
internal import AudioKernels
internal import Glibc

/// Measures sound levels as a sound level meter does, by IEC 61672-1, and third-octave bands by IEC 61260-1.
///
/// ```swift
/// let meter = SoundLevelMeter(format, SoundLevelSettings(calibration: 120))
/// meter.add(samples)
/// print(meter.takeInterval().channels[0].average ?? "silence")
/// ```
///
/// The responses of its filters are within class 1 at rates from 8 to 384 kHz. Microphone and converter are not part of
/// it. The result does not depend on the cuts between calls. One thread at a time.
public final class SoundLevelMeter {
  public let format: StreamFormat
  public let settings: SoundLevelSettings
  private var channels: [Channel]
  private let block: PlanarBlock
  private let stepLength: Int
  private var begin: Int64 = 0
  private var end: Int64 = 0
  private var notFinite = 0
  /// The first sample frame that the kernel of the filters has not paired.
  private var isSecond = false

  /// The times per second at which the level with the time weighting F counts for the levels that are exceeded.
  private static let stepsPerSecond = 100

  /// - Parameters:
  ///   - format: the format of the samples.
  ///   - settings: what it measures.
  public init(_ format: StreamFormat, _ settings: SoundLevelSettings = SoundLevelSettings()) {
    self.format = format
    self.settings = settings
    let rate = format.sampleRate
    channels = (0..<format.channelCount).map { _ in Channel(settings, sampleRate: rate) }
    stepLength = max(1, rate / Self.stepsPerSecond)
    block = PlanarBlock(channelCount: format.channelCount, length: stepLength)
  }

  /// Measures more of the stream.
  ///
  /// - Parameter samples: interleaved, nominal ±1.0; whole sample frames.
  public func add<Sample: AudioSample>(_ samples: Span<Sample>) {
    var start = 0
    while samples.count - start >= format.channelCount {
      start += block.fill(samples, from: start, upTo: stepLength)
      if block.count == stepLength { closeStep(isWhole: true) }
    }
  }

  /// Returns the levels since the last call, and begins the next interval. Filters and time weightings go on.
  public func takeInterval() -> SoundLevelInterval {
    if block.count > 0 { closeStep(isWhole: false) }
    let interval = SoundLevelInterval(
      start: begin, samplesPerChannel: end - begin, notFiniteSamples: notFinite,
      channels: channels.indices.map { channels[$0].take(end - begin, settings) })
    begin = end
    notFinite = 0
    return interval
  }

  private func closeStep(isWhole: Bool) {
    let count = block.count
    for index in channels.indices {
      let samples = unsafe block.samples(index)
      for place in 0..<count where unsafe !(abs(samples[place]) < ChannelTally.limit) {
        unsafe samples[place] = 0
        notFinite += 1
      }
      unsafe channels[index].add(samples, count: count, isSecond: isSecond, isWhole: isWhole)
    }
    if count % 2 == 1 { isSecond.toggle() }
    end += Int64(count)
    block.clear()
  }
}

extension SoundLevelMeter {
  /// The sums of one channel.
  private struct Channel {
    private let sections: [FilterSection]
    private var states: [Double]
    private var bands: ThirdOctaveBank?
    private var weighting: TimeWeighting
    private var histogram = LevelHistogram()

    init(_ settings: SoundLevelSettings, sampleRate: Int) {
      sections = settings.weighting.sections(at: sampleRate)
      states = Array(repeating: 0, count: sections.count * FilterSection.stateSize)
      weighting = TimeWeighting(sampleRate: sampleRate)
      if settings.hasBands { bands = ThirdOctaveBank(sampleRate: sampleRate) }
    }

    /// - Parameters:
    ///   - samples: finite; they are weighted in place.
    ///   - isSecond: whether the first of them completes a pair of the kernel's.
    ///   - isWhole: whether the step ends here.
    mutating func add(
      _ samples: UnsafeMutablePointer<Double>, count: Int, isSecond: Bool, isWhole: Bool
    ) {
      unsafe bands?.add(samples, count: count)
      unsafe sections.withUnsafeBufferPointer { sections in
        unsafe states.withUnsafeMutableBufferPointer { states in
          guard let section = sections.baseAddress, let state = states.baseAddress else { return }
          unsafe KernelTable.current.filters.run(
            samples, count, 1, isSecond, section, sections.count, state)
          unsafe KernelTable.current.filters.settle(state, sections.count)
        }
      }
      unsafe weighting.add(samples, count: count)
      if isWhole { histogram.add(Decibels.level(weighting.fast.squareRoot())) }
    }

    mutating func take(_ count: Int64, _ settings: SoundLevelSettings) -> SoundLevels {
      let offset = settings.calibration ?? 0
      func level(_ square: Double) -> Double? {
        square > 0 ? Decibels.level(square.squareRoot()) + offset : nil
      }
      func mean(_ squares: Double) -> Double? { count > 0 ? level(squares / Double(count)) : nil }
      let squares = bands?.takeSquares() ?? []
      let levels = SoundLevels(
        average: mean(weighting.squares), maxFast: level(weighting.maxFast),
        maxSlow: level(weighting.maxSlow),
        exceeded10: histogram.exceeded(0.1).map { $0 + offset },
        exceeded50: histogram.exceeded(0.5).map { $0 + offset },
        exceeded90: histogram.exceeded(0.9).map { $0 + offset },
        bands: (bands?.bands ?? []).enumerated().map {
          SoundLevels.Band(band: $0.element, level: mean(squares[$0.offset]))
        })
      weighting.beginInterval()
      histogram = LevelHistogram()
      return levels
    }
  }
}

/// The squares of a weighted channel, averaged as the time weightings F and S of IEC 61672-1 do: by one pole, of 125 ms
/// and 1 s.
private struct TimeWeighting {
  private let fastFactor: Double
  private let slowFactor: Double
  private(set) var fast = 0.0
  private var slow = 0.0
  private(set) var maxFast = 0.0
  private(set) var maxSlow = 0.0
  private(set) var squares = 0.0

  init(sampleRate: Int) {
    fastFactor = -expm1(-1 / (0.125 * Double(sampleRate)))
    slowFactor = -expm1(-1 / Double(sampleRate))
  }

  @_noAllocation @_noLocks
  mutating func add(_ samples: UnsafePointer<Double>, count: Int) {
    var (fast, slow, maxFast, maxSlow, sum) = (fast, slow, maxFast, maxSlow, 0.0)
    for place in 0..<count {
      let square = unsafe samples[place] * samples[place]
      sum += square
      fast += fastFactor * (square - fast)
      slow += slowFactor * (square - slow)
      maxFast = max(maxFast, fast)
      maxSlow = max(maxSlow, slow)
    }
    squares += sum
    (self.maxFast, self.maxSlow) = (maxFast, maxSlow)
    self.fast = fast < 1e-30 ? 0 : fast
    self.slow = slow < 1e-30 ? 0 : slow
  }

  mutating func beginInterval() {
    squares = 0
    (maxFast, maxSlow) = (fast, slow)
  }
}

/// How often each tenth of a decibel occurred, from −200 dB to +100 dB. A level below counts as the lowest.
private struct LevelHistogram {
  private static let lowest = -200.0
  private static let perDecibel = 10.0
  private var counts: [Int32] = Array(repeating: 0, count: 3_000)
  private var total = 0

  mutating func add(_ level: Double) {
    let place = max(0, (level - Self.lowest) * Self.perDecibel)
    counts[min(counts.count - 1, Int(place))] += 1
    total += 1
  }

  /// The level that is exceeded for a share of the time; within a tenth of a decibel, evenly divided.
  func exceeded(_ share: Double) -> Double? {
    guard total > 0 else { return nil }
    var above = share * Double(total)
    for index in counts.indices.reversed() {
      let count = Double(counts[index])
      if count >= above, count > 0 {
        if index == 0 { return nil }
        return Self.lowest + (Double(index + 1) - above / count) / Self.perDecibel
      }
      above -= count
    }
    return nil
  }
}
