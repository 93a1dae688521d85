// SPDX-License-Identifier: Apache-2.0
/// Noise that is added before samples are rounded to an integer layout.
@nonexhaustive
public enum Dither: Sendable, Hashable {
  /// Plain rounding.
  case none
  /// White noise with a triangular distribution between −1 and +1 step of the output.
  ///
  /// The mean and the variance of the total error then no longer depend on the signal; the variance is 1/4 step². S. P.
  /// Lipshitz, R. A. Wannamaker, J. Vanderkooy, "Quantization and Dither: A Theoretical Survey", J. Audio Eng. Soc.
  /// 40(5), 1992. Equal seeds give equal noise.
  case tpdf(seed: UInt64)

  /// Noise for one channel that is quantised by itself: independent of that of the other channels.
  ///
  /// - Parameter channel: from 0, which has the noise itself.
  package func ofChannel(_ channel: Int) -> Dither {
    guard case .tpdf(let seed) = self else { return self }
    return .tpdf(seed: seed &+ UInt64(channel) &* 0xD1B5_4A32_D192_ED03)
  }
}

/// The last step of a stream: it stores samples as the bytes of a layout and counts those that do not fit.
///
/// Rounds to nearest (ties to even) and saturates. Dither is added on integer layouts only, never on f32 and f64, nor
/// on µ-law and A-law, whose steps differ in size. The bytes do not depend on the division into calls. A value type for
/// one thread at a time.
package struct Quantiser: Sendable {
  package let layout: SampleLayout
  package let dither: Dither

  /// Whether an infinity is kept if ``layout`` is floating point: false if a codec gets the samples.
  package var keepsInfinity = true

  /// Samples so far that were out of range with the dither added, and saturated. Kept infinities do not count.
  package private(set) var clippedSamples = 0

  /// NaN samples so far: integers hold 0 in their place, floating point NaN.
  package private(set) var notANumberSamples = 0

  private var noise: TriangularNoise?
  private var block: [Double]

  package init(layout: SampleLayout, dither: Dither = .none) {
    self.layout = layout
    self.dither = dither
    if case .tpdf(let seed) = dither, let step = layout.storage.step {
      noise = TriangularNoise(seed: seed, step: step)
      block = Array(repeating: 0, count: 1024)
    } else {
      noise = nil
      block = []
    }
  }

  /// Stores `samples` as bytes.
  ///
  /// - Parameters:
  ///   - samples: interleaved samples, the next ones of the stream.
  ///   - bytes: exactly `samples.count × layout.bytesPerSample` bytes; any alignment.
  @_lifetime(bytes: copy bytes)
  package mutating func encode<Sample: AudioSample>(
    _ samples: Span<Sample>, into bytes: inout MutableRawSpan
  ) {
    guard var noise else {
      count(Sample.encode(samples, as: layout, into: &bytes), of: samples)
      return
    }
    precondition(bytes.byteCount == samples.count * layout.bytesPerSample)
    var start = 0
    while start < samples.count {
      let end = min(start + block.count, samples.count)
      fillBlock(with: samples.extracting(start..<end), adding: &noise)
      var part = bytes._mutatingExtracting(
        start * layout.bytesPerSample..<end * layout.bytesPerSample)
      let outside = Double.encode(
        block.span.extracting(0..<end - start), as: layout, into: &part)
      count(outside, of: samples.extracting(start..<end))
      start = end
    }
    self.noise = noise
  }

  /// - Parameter outside: how many of `samples` were out of range or NaN.
  private mutating func count<Sample: AudioSample>(_ outside: Int, of samples: Span<Sample>) {
    guard outside > 0 else { return }
    let none = Sample.countOfNaN(in: samples)
    let isKept = keepsInfinity && (layout.storage == .f32 || layout.storage == .f64)
    clippedSamples += outside - (isKept ? Sample.magnitudes(of: samples).notFinite : none)
    notANumberSamples += none
  }

  /// Adds the noise in double precision: a `Float` near full scale cannot hold a fraction of a 24-bit step.
  private mutating func fillBlock<Sample: AudioSample>(
    with samples: Span<Sample>, adding noise: inout TriangularNoise
  ) {
    unsafe block.withUnsafeMutableBufferPointer { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      Sample.append(samples, to: &output)
      _ = unsafe output.finalize(for: buffer)
    }
    var whole = block.mutableSpan
    var part = whole._mutatingExtracting(first: samples.count)
    noise.add(to: &part)
  }
}

extension SampleLayout.Storage {
  /// The distance between neighbouring values on the scale of ±1; nil if it varies.
  fileprivate var step: Double? {
    switch self {
    case .s8, .u8: 0x1p-7
    case .s16: 0x1p-15
    case .s24, .s24In32: 0x1p-23
    case .s32: 0x1p-31
    case .f32, .f64, .ulaw, .alaw: nil
    }
  }
}

/// White noise with a triangular distribution: the sum of two independent even ones.
struct TriangularNoise: Sendable {
  private var generator: SplitMix64
  private let scale: Double

  /// Noise between −`step` and +`step`.
  init(seed: UInt64, step: Double) {
    generator = SplitMix64(seed: seed)
    scale = step * 0x1p-32
  }

  /// Adds the next values to `samples`: one word of the generator each, whose halves are the two even
  /// distributions.
  mutating func add(to samples: inout MutableSpan<Double>) {
    for index in samples.indices {
      let word = generator.next()
      let sum = Int64(word >> 32) &+ Int64(word & 0xFFFF_FFFF)
      samples[index] += Double(sum &- 0xFFFF_FFFF) * scale
    }
  }
}

/// A small generator of evenly distributed 64-bit words that can compute the output at any index directly.
///
/// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014; the
/// constants of the mixing function are David Stafford's "Mix13".
package struct SplitMix64: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  @inline(__always)
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
