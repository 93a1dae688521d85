// SPDX-License-Identifier: Apache-2.0
/// The level of one channel over some time: peak, RMS, and the count of samples beyond full scale.
public struct Level: Sendable, Hashable {
  /// The largest magnitude; 1 = full scale; NaN if a sample is NaN.
  public var peak: Double { notANumberSamples == 0 ? highest : .nan }
  /// The number of samples measured.
  public private(set) var samples: Int64 = 0
  /// The number of samples beyond full scale: an integer output would saturate them.
  public private(set) var clippedSamples: Int64 = 0
  /// The number of NaN samples. With one, both ``peak`` and ``rms`` are NaN.
  public private(set) var notANumberSamples: Int64 = 0
  /// Whether a sample reaches full scale: the largest 16-bit integer, as a fraction of 32768.
  package var reachesFullScale: Bool { peak >= ChannelTally.fullScale }
  private var highest = 0.0
  private var energy = 0.0

  public init() {}

  /// The root mean square; 0 without samples, NaN if a sample is NaN.
  public var rms: Double { samples == 0 ? 0 : (energy / Double(samples)).squareRoot() }

  /// ``peak`` in dBFS; −∞ for silence, NaN if a sample is NaN.
  public var peakDecibels: Double { Decibels.level(peak) }

  /// ``rms`` in dBFS; a square wave of full scale is 0 dBFS. −∞ for silence, NaN if a sample is NaN.
  public var rmsDecibels: Double { Decibels.level(rms) }

  /// Measures one more sample.
  public mutating func add(_ sample: Double) {
    let magnitude = abs(sample)
    if magnitude > highest { highest = magnitude }
    if !(magnitude <= 1) { addOutside(magnitude) }
    energy += sample * sample
    samples += 1
  }

  /// Measures the samples of one channel, or of all channels together. The sums are bit for bit those of adding each
  /// sample by itself.
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

  /// The number of samples converted at a time; they lie on the stack.
  private static var pieceLength: Int { 128 }

  private mutating func add(doubles: Span<Double>) {
    // A local keeps the sums in registers.
    var level = self
    for index in 0..<doubles.count { level.add(doubles[index]) }
    self = level
  }

  private mutating func addOutside(_ magnitude: Double) {
    if magnitude.isNaN { notANumberSamples += 1 } else { clippedSamples += 1 }
  }

  /// Adds the samples that `other` measured.
  public mutating func add(_ other: Level) {
    highest = max(highest, other.highest)
    clippedSamples += other.clippedSamples
    notANumberSamples += other.notANumberSamples
    energy += other.energy
    samples += other.samples
  }
}

extension Level {
  /// Adds interleaved `samples` to the levels of their channels.
  static func measure(_ samples: Span<Double>, into levels: inout [Level]) {
    let channelCount = levels.count
    for channel in 0..<channelCount {
      // A local keeps the sums in registers.
      var level = levels[channel]
      for index in stride(from: channel, to: samples.count, by: channelCount) {
        level.add(samples[index])
      }
      levels[channel] = level
    }
  }
}
