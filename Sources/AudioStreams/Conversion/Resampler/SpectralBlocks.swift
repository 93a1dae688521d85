// SPDX-License-Identifier: Apache-2.0
/// The blocks of a rate conversion in the frequency domain, if both numbers of the ratio have small factors.
///
/// A block is a transform of `inputSize` samples. The bins up to "Nyquist" of the lower rate are multiplied by the
/// response of the filter, and an inverse transform of `outputSize` gives the outputs; those that the ends of the block
/// disturb are dropped (overlap-save). The blocks begin at fixed samples of the stream.
struct SpectralBlocks: Hashable {
  let ratio: ResamplingRatio
  /// The input samples of an output.
  let taps: Int
  let inputSize: Int
  let outputSize: Int
  /// Input samples from one block to the next.
  let hop: Int
  /// Outputs of a block.
  let outputHop: Int
  /// Products for one output, as many as take the time of a block.
  let cost: Double

  /// The largest transform.
  private static var largestSize: Int { 8_192 }

  /// The work, dearer by the size of the larger transform: twice the memory and tables should save more than a twentieth.
  private var price: Double { cost * (1 + Double(max(inputSize, outputSize)) / 16_384) }

  /// - Returns: nil if a number of the ratio has a factor above 7, or if no transform is large enough.
  init?(_ ratio: ResamplingRatio, taps: Int) {
    guard TransformTables.hasSmallFactors(ratio.step),
      TransformTables.hasSmallFactors(ratio.phaseCount)
    else { return nil }
    let longest = Self.largestSize / max(ratio.step, ratio.phaseCount)
    var best: SpectralBlocks?
    for factor in [1, 3, 5] {
      var periods = factor
      while periods <= longest {
        let blocks = SpectralBlocks(ratio, taps: taps, periods: periods)
        if let blocks, blocks.price < best?.price ?? .infinity { best = blocks }
        periods *= 2
      }
    }
    guard let best else { return nil }
    self = best
  }

  private init?(_ ratio: ResamplingRatio, taps: Int, periods: Int) {
    self.ratio = ratio
    self.taps = taps
    inputSize = ratio.step * periods
    outputSize = ratio.phaseCount * periods
    let hops = (inputSize - taps + 1) / ratio.step
    if inputSize < taps || hops < 1 || min(inputSize, outputSize) < 8 { return nil }
    hop = hops * ratio.step
    outputHop = hops * ratio.phaseCount
    cost =
      (TransformTables.cost(inputSize) + TransformTables.cost(outputSize))
      / Double(2 * outputHop)
  }

  /// The input samples of two successive blocks, which are computed together.
  var pairLength: Int { hop + inputSize }
}

/// The tables of a Fourier transform whose size has the factors 2, 3, 5 and 7 only.
struct TransformTables: Sendable {
  let size: Int
  let radices: [Int]
  /// ``TransformPlan/factors``.
  let factors: [Double]
  private let factorCount: Int
  /// e^(−2πik/size).
  let roots: [SIMD2<Double>]

  init(size: Int) {
    self.size = size
    radices = Self.radices(size)
    roots = (0..<size).map { FourierRoot.value($0, of: size) }
    var (cosines, sines) = ([Double](), [Double]())
    var length = size
    for radix in radices {
      let step = length / radix
      for place in 0..<step {
        for output in 1..<radix {
          let root = roots[place * output * (size / length)]
          cosines.append(root.x)
          sines.append(root.y)
        }
      }
      length = step
    }
    factorCount = cosines.count
    factors = cosines + sines
  }

  /// Returns the place of a bin in a transform: its digits in reverse order.
  func place(ofBin bin: Int) -> Int32 {
    var (rest, place, length) = (bin, 0, size)
    for radix in radices {
      length /= radix
      place += rest % radix * length
      rest /= radix
    }
    return Int32(place)
  }

  func withPlan<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result? {
    unsafe radices.withUnsafeBufferPointer { radices in
      unsafe factors.withUnsafeBufferPointer { factors in
        guard let first = radices.baseAddress, let factor = factors.baseAddress else { return nil }
        var plan = unsafe TransformPlan(
          size: size, radices: first, passCount: radices.count, factors: factor,
          factorCount: factorCount)
        return unsafe withUnsafePointer(to: &plan) { unsafe body(UnsafeRawPointer($0)) }
      }
    }
  }

  static func hasSmallFactors(_ number: Int) -> Bool {
    var rest = number
    for factor in [2, 3, 5, 7] { while rest % factor == 0 { rest /= factor } }
    return rest == 1
  }

  /// The radices of the passes: large ones first, over the longest runs.
  private static func radices(_ size: Int) -> [Int] {
    var rest = size
    var radices: [Int] = []
    for radix in [7, 5, 3, 4, 2] {
      while rest % radix == 0 {
        radices.append(radix)
        rest /= radix
      }
    }
    return radices
  }

  /// The products that take as long as a transform of this size, and as its samples on their way.
  static func cost(_ size: Int) -> Double {
    var sum = 0.0
    for radix in radices(size) {
      switch radix {
      case 2: sum += 2.5
      case 3: sum += 4.7
      case 4: sum += 4.25
      case 5: sum += 7.2
      default: sum += 9.4
      }
    }
    return (sum + 8) * Double(size)
  }
}
