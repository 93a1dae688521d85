// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// e^(−2πik/n).
enum FourierRoot {
  static func value(_ index: Int, of count: Int) -> SIMD2<Double> {
    let angle = -2 * Double.pi * Double(index) / Double(count)
    return SIMD2(cos(angle), sin(angle))
  }
}

/// The low-pass of a rate conversion as its response in the bins of blocks.
///
/// It is the response of the filter that a conversion in one step has, up to "Nyquist" of the lower rate. If that is the
/// output's, so are the bins behind it, which fold back, as far as they matter: a cut at "Nyquist" itself would raise the
/// aliases next to it by up to 5 dB. Beyond that the response is 0. Immutable, so all channels and threads share it.
struct SpectralFilter: Sendable {
  let blocks: SpectralBlocks
  let forward: TransformTables
  let inverse: TransformTables
  /// For each bin from 0 on; all real parts, then all imaginary ones.
  let response: [Double]
  /// The places of bin 0, of bin 1 and of its mirror, of bin 2 and so on, in the forward transform.
  let binPlaces: [Int32]
  /// The places of a block's outputs in the inverse transform.
  let outputPlaces: [Int32]

  init(_ design: FilterDesign, _ blocks: SpectralBlocks) {
    self.blocks = blocks
    let forward = TransformTables(size: blocks.inputSize)
    inverse =
      blocks.outputSize == blocks.inputSize
      ? forward : TransformTables(size: blocks.outputSize)
    self.forward = forward
    let size = blocks.inputSize
    let below = (min(size, blocks.outputSize) + 1) / 2
    let count =
      blocks.outputSize < size
      ? min(below + (below + 19) / 20, (size + 1) / 2, blocks.outputSize) : below
    // The first output of a block stands behind the samples that only it and earlier ones need.
    let lead = blocks.taps / 2 - 1
    let gains = design.response(atMultiplesOf: 2 / Double(size), count: count)
    let turns = (0..<count).map { forward.roots[$0 * lead % size] }
    let scaled = gains.map { $0 / Double(size) }
    response = zip(turns, scaled).map { $0.x * $1 } + zip(turns, scaled).map { -$0.y * $1 }
    binPlaces = (0..<count).flatMap { bin in
      bin == 0
        ? [forward.place(ofBin: 0)]
        : [forward.place(ofBin: bin), forward.place(ofBin: size - bin)]
    }
    let inverse = inverse
    outputPlaces = (0..<blocks.outputHop).map { inverse.place(ofBin: $0) }
  }

  /// The memory of the tables, in bytes.
  var byteCount: Int {
    let numbers =
      response.count + forward.factors.count + 2 * forward.size + inverse.factors.count
      + 2 * inverse.size
    return 8 * numbers + 4 * (binPlaces.count + outputPlaces.count)
  }
}

extension FilterDesign {
  /// Returns the response at 0, `step` and so on, as fractions of the input's Nyquist frequency; 1 at 0.
  ///
  /// The cosine series of the impulse response at every half sample: what it folds back lies deep in the stop band.
  func response(atMultiplesOf step: Double, count: Int) -> [Double] {
    let sinc = WindowedSinc(taps: taps, cutoff: cutoff, window: window)
    // h(t) at t = 0, ½, 1 and so on.
    var impulse = [Double](repeating: 0, count: taps)
    var row = [Double](repeating: 0, count: taps)
    for half in 0..<2 {
      unsafe row.withUnsafeMutableBufferPointer { unsafe sinc.write(at: Double(half) / 2, to: $0) }
      for tap in 0..<taps / 2 { impulse[2 * tap + half] = row[taps / 2 - 1 - tap] }
    }
    let gain = 1 / (impulse[0] + 2 * impulse.dropFirst().reduce(0, +))
    var response: [Double] = []
    response.reserveCapacity(count + 8)
    for first in stride(from: 0, to: count, by: 8) {
      var cosine = SIMD8<Double>()
      for lane in 0..<8 { cosine[lane] = cos(Double.pi / 2 * step * Double(first + lane)) }
      // cos((n + 1) x) = 2 cos x cos(n x) − cos((n − 1) x)
      var (before, now) = (SIMD8<Double>(repeating: 1), cosine)
      var sum = SIMD8<Double>(repeating: 0)
      for value in impulse.dropFirst() {
        sum += now * value
        (before, now) = (now, 2 * cosine * now - before)
      }
      let values = (impulse[0] + 2 * sum) * gain
      for lane in 0..<min(8, count - first) { response.append(values[lane]) }
    }
    return response
  }
}
