// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Measures a stream: its loudness by ITU-R BS.1770-4 and EBU R 128, its levels, and its faults.
///
/// ```swift
/// let meter = SoundMeter(format)
/// meter.add(samples)
/// print(meter.finish().loudness ?? "no loudness")
/// ```
///
/// ``measure(_:_:layout:measures:)`` does all of it in one call. The result does not depend on the cuts between calls,
/// even within a sample frame. One thread at a time. The gates of the integrated loudness take 16 bytes of memory for
/// each 100 ms of the stream; all other memory is allocated by the initialiser.
@safe
public final class SoundMeter {
  /// The expensive measures, which can be left out.
  public struct Measures: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let loudness = Measures(rawValue: 1)
    public static let truePeak = Measures(rawValue: 2)
    public static let bandwidth = Measures(rawValue: 4)
    public static let all: Measures = [.loudness, .truePeak, .bandwidth]
  }

  public let format: StreamFormat
  private let measures: Measures
  private var loudness: GatedLoudness
  private var weighted: WeightedChannels
  private let truePeakFilter: TruePeakFilter
  private var spectrum: SpectrumTally?
  private var silence: SilenceWatch
  private var tallies: [ChannelTally]
  private var truePeaks: [Float]
  private var kinship: ChannelCorrelation
  private let block: PlanarBlock
  /// The beginning of an incomplete sample frame.
  private let part: SampleQueue<Double>
  /// The complete steps of 10 ms.
  private var stepCount: Int64 = 0
  private var stepLength: Int
  /// In this step, from the first sample that is not finite to behind the last one, in any channel.
  private var notFinite: Range<Int>?

  /// - Parameters:
  ///   - format: the format of the samples.
  ///   - layout: the loudspeakers of the channels, which decide their weights; nil = WAV's usual order.
  ///   - measures: the measures beside levels.
  public init(
    _ format: StreamFormat, layout: Metadata.ChannelLayout? = nil, measures: Measures = .all
  ) {
    self.format = format
    self.measures = measures
    let (rate, count) = (format.sampleRate, format.channelCount)
    loudness = GatedLoudness(sampleRate: rate)
    weighted = WeightedChannels(
      KWeighting(sampleRate: rate), ChannelWeights(channelCount: count, layout: layout))
    truePeakFilter = TruePeakFilter(sampleRate: rate)
    spectrum =
      measures.contains(.bandwidth) ? SpectrumTally(sampleRate: rate, channelCount: count) : nil
    silence = SilenceWatch(sampleRate: rate)
    tallies = Array(repeating: ChannelTally(), count: count)
    truePeaks = Array(repeating: 0, count: count)
    kinship = ChannelCorrelation(channelCount: count)
    block = PlanarBlock(
      channelCount: count, length: rate / GatedLoudness.stepsPerSecond + 1)
    part = SampleQueue(minimumCapacity: count)
    stepLength = Int(GatedLoudness.end(ofStep: 0, at: rate))
  }

  /// Measures a whole stream in one call.
  ///
  /// ```swift
  /// let loudness = SoundMeter.measure(samples, format).loudness
  /// ```
  ///
  /// - Parameters:
  ///   - samples: interleaved, nominal ±1.0. An incomplete sample frame at the end is left out.
  ///   - format: the format of the samples.
  ///   - layout: the loudspeakers of the channels, which decide their weights; nil = WAV's usual order.
  ///   - measures: the measures beside levels.
  public static func measure<Sample: AudioSample>(
    _ samples: [Sample], _ format: StreamFormat, layout: Metadata.ChannelLayout? = nil,
    measures: Measures = .all
  ) -> SoundMeasurement {
    let meter = SoundMeter(format, layout: layout, measures: measures)
    meter.add(samples)
    return meter.finish()
  }

  /// Measures more of the stream.
  ///
  /// - Parameter samples: interleaved, nominal ±1.0. They may begin and end within a sample frame: its samples are
  ///   measured when the last of them has come.
  public func add<Sample: AudioSample>(_ samples: Span<Sample>) {
    let start = completePart(samples)
    let end = samples.count - (samples.count - start) % format.channelCount
    addFrames(samples.extracting(start..<end))
    keepPart(samples.extracting(end..<samples.count))
  }

  /// Measures more of the stream.
  ///
  /// - Parameter samples: interleaved, nominal ±1.0. They may begin and end within a sample frame.
  public func add<Sample: AudioSample>(_ samples: [Sample]) { add(samples.span) }

  /// Returns the measurement. Add no samples afterwards. An incomplete sample frame at the end is left out.
  public func finish() -> SoundMeasurement {
    if block.count > 0 { closeStep(isWhole: false) }
    spectrum?.finish()
    return measurement
  }

  private func addFrames<Sample: AudioSample>(_ samples: Span<Sample>) {
    var start = 0
    while start < samples.count {
      start += block.fill(samples, from: start, upTo: stepLength)
      if block.count == stepLength { closeStep(isWhole: true) }
    }
  }

  /// Completes the sample frame that began earlier, and measures it.
  ///
  /// - Returns: how many of `samples` belong to it; 0 if none has begun.
  private func completePart<Sample: AudioSample>(_ samples: Span<Sample>) -> Int {
    let part = part
    if part.isEmpty { return 0 }
    let taken = min(format.channelCount - part.count, samples.count)
    keepPart(samples.extracting(first: taken))
    if part.count == format.channelCount {
      addFrames(part.readable)
      part.removeAll()
    }
    return taken
  }

  private func keepPart<Sample: AudioSample>(_ samples: Span<Sample>) {
    if samples.isEmpty { return }
    part.append(atMost: samples.count) { Sample.present(samples, in: &$0) }
  }

  /// The loudness so far.
  public var reading: LoudnessReading {
    let isFinite = tallies.allSatisfy { $0.notFiniteSamples == 0 }
    return LoudnessReading(
      momentary: isFinite ? loudness.momentary : nil,
      shortTerm: isFinite ? loudness.shortTerm : nil,
      integrated: isFinite ? loudness.integrated : nil)
  }

  // MARK: A step of 10 ms

  private func closeStep(isWhole: Bool) {
    let count = block.count
    var largest: Float = 0
    for channel in tallies.indices {
      largest = max(largest, measure(channel))
    }
    if tallies.count > 1 { unsafe kinship.add(block.samples(0), stride: block.stride, count) }
    silence.add(count: count, sound: sound(largest))
    unsafe spectrum?.add(block.samples(0), stride: block.stride, count: count)
    if measures.contains(.loudness), isWhole {
      loudness.add(unsafe weighted.energy(block.samples(0), stride: block.stride, count: count))
    }
    block.clear()
    notFinite = nil
    stepCount += 1
    stepLength = Int(
      GatedLoudness.end(ofStep: stepCount, at: format.sampleRate)
        - GatedLoudness.end(ofStep: stepCount - 1, at: format.sampleRate))
  }

  /// Takes the measures that need no other channel.
  ///
  /// - Returns: the largest magnitude of the channel's samples.
  private func measure(_ channel: Int) -> Float {
    var largest = block.scan(channel)
    if !(largest < Float(ChannelTally.limit)) {
      let found = unsafe tallies[channel].clean(block.samples(channel), count: block.count)
      notFinite = joined(notFinite, found.isEmpty ? nil : found)
      block.makeSingles(channel)
      largest = block.scan(channel)
    }
    unsafe tallies[channel].add(block.samples(channel), count: block.count, largest: largest)
    if measures.contains(.truePeak) {
      truePeaks[channel] = unsafe truePeakFilter.peak(
        block.singles(channel), count: block.count, block.groupPeaks, atLeast: truePeaks[channel])
    }
    return largest
  }

  /// Returns the range from the first sound in the block to behind the last one. A sample that is not finite counts as
  /// sound.
  private func sound(_ largest: Float) -> Range<Int>? {
    guard Double(largest) * 1.000_000_2 >= SilenceWatch.threshold else { return notFinite }
    return tallies.indices.reduce(notFinite) { (sound: Range<Int>?, channel) in
      joined(sound, block.stretch(channel, reaching: SilenceWatch.threshold))
    }
  }

  private func joined(_ one: Range<Int>?, _ other: Range<Int>?) -> Range<Int>? {
    guard let one, let other else { return one ?? other }
    return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
  }

  // MARK: The result

  private var measurement: SoundMeasurement {
    let hasTruePeak = measures.contains(.truePeak)
    let channels = tallies.indices.map { channel in
      SoundMeasurement.Channel(
        tallies[channel], truePeak: hasTruePeak ? Double(truePeaks[channel]) : nil,
        bandwidth: spectrum?.bandwidth(ofChannel: channel),
        identicalChannel: kinship.twin(of: channel).flatMap {
          tallies[$0].notFiniteSamples == 0 ? $0 : nil
        })
    }
    let isFinite = tallies.allSatisfy { $0.notFiniteSamples == 0 }
    let samples = tallies.reduce(0) { $0 + $1.samples }
    let squares = tallies.reduce(0) { $0 + $1.squares }
    return SoundMeasurement(
      format: format, samplesPerChannel: tallies[0].samples,
      loudness: isFinite ? loudness.integrated : nil,
      loudnessRange: isFinite ? loudness.range : nil,
      maxMomentary: isFinite ? loudness.maxMomentary : nil,
      maxShortTerm: isFinite ? loudness.maxShortTerm : nil,
      phaseCorrelation: isFinite ? kinship.correlation(tallies) : nil,
      longestSilence: silence.longestInSeconds, silenceAtStart: silence.atStart,
      silenceAtEnd: silence.atEnd, channels: channels,
      rms: isFinite && squares > 0
        ? Decibels.level((squares / Double(samples)).squareRoot()) : nil,
      blocks: isFinite ? loudness.blocks : [],
      shortTermBlocks: isFinite ? loudness.shortTermBlocks : [])
  }
}

/// The loudness of a stream at one moment, in LUFS; nil for silence, or if the stream is too short so far.
public struct LoudnessReading: Sendable, Hashable {
  /// The loudness over the last 400 ms.
  public let momentary: Double?
  /// The loudness over the last 3 s.
  public let shortTerm: Double?
  /// The gated loudness from the beginning on.
  public let integrated: Double?
}
