// SPDX-License-Identifier: Apache-2.0
/// How loud one channel was over some time, and how often beyond full scale.
public struct Level: Sendable, Hashable {
  /// The largest magnitude; 1 = full scale; NaN where a sample is not a number.
  public var peak: Double { notANumberSamples == 0 ? highest : .nan }
  /// Samples measured.
  public private(set) var samples: Int64 = 0
  /// Samples whose magnitude is beyond full scale: an integer output would saturate them.
  public private(set) var clippedSamples: Int64 = 0
  /// Samples that are not numbers (NaN). With one, neither ``peak`` nor ``rms`` is a number.
  public private(set) var notANumberSamples: Int64 = 0
  /// Whether a sample is at full scale, or beyond: as large as the largest of 16 bits.
  package var reachesFullScale: Bool { peak >= ChannelTally.fullScale }
  private var highest = 0.0
  private var energy = 0.0

  public init() {}

  /// The root of the mean square; 0 where nothing was measured, NaN where a sample is not a number.
  public var rms: Double { samples == 0 ? 0 : (energy / Double(samples)).squareRoot() }

  /// ``peak`` in dBFS; −∞ for silence, NaN where a sample is not a number.
  public var peakDecibels: Double { Decibels.level(peak) }

  /// ``rms`` in dBFS, where a square wave of full scale is 0 dBFS; −∞ for silence, NaN where a sample is not a
  /// number.
  public var rmsDecibels: Double { Decibels.level(rms) }

  /// Measures one more sample.
  public mutating func add(_ sample: Double) {
    let magnitude = abs(sample)
    if magnitude > highest { highest = magnitude }
    if !(magnitude <= 1) { addOutside(magnitude) }
    energy += sample * sample
    samples += 1
  }

  /// Measures the samples of one channel, or those of all channels together: the same sums, in the same order, as if each
  /// was added by itself.
  ///
  /// ```swift
  /// level.add(frame.samples.span)
  /// ```
  ///
  /// - Parameter samples: `Int16` counts as −32768…32767 of 32768.
  public mutating func add<Sample: FrameSample>(_ samples: Span<Sample>) {
    unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.pieceLength) { memory in
      for start in stride(from: 0, to: samples.count, by: Self.pieceLength) {
        let piece = samples.extracting(start..<min(start + Self.pieceLength, samples.count))
        var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
        Sample.append(piece, to: &output)
        add(doubles: output.span)
        _ = unsafe output.finalize(for: memory)
      }
    }
  }

  /// Measures the samples of one channel, or those of all channels together.
  ///
  /// - Parameter samples: `Int16` counts as −32768…32767 of 32768.
  public mutating func add<Sample: FrameSample>(_ samples: [Sample]) { add(samples.span) }

  /// Samples that are converted at a time: as many as lie on the stack.
  private static var pieceLength: Int { 128 }

  private mutating func add(doubles: Span<Double>) {
    // A local, so that the sums stay in registers.
    var level = self
    for index in 0..<doubles.count { level.add(doubles[index]) }
    self = level
  }

  private mutating func addOutside(_ magnitude: Double) {
    if magnitude.isNaN { notANumberSamples += 1 } else { clippedSamples += 1 }
  }

  /// Measures what `other` did as well.
  public mutating func add(_ other: Level) {
    highest = max(highest, other.highest)
    clippedSamples += other.clippedSamples
    notANumberSamples += other.notANumberSamples
    energy += other.energy
    samples += other.samples
  }
}

extension Level {
  /// The levels of every channel of interleaved `samples`.
  static func measure(_ samples: Span<Double>, into levels: inout [Level]) {
    let channelCount = levels.count
    for channel in 0..<channelCount {
      // A local, so that the sums stay in registers.
      var level = levels[channel]
      for index in stride(from: channel, to: samples.count, by: channelCount) {
        level.add(samples[index])
      }
      levels[channel] = level
    }
  }
}
