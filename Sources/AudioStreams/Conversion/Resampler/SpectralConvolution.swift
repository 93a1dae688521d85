// SPDX-License-Identifier: Apache-2.0
/// A convolution in the frequency domain, block by block: the cost of an output hardly depends on the length of the
/// filter.
///
/// Two successive blocks of a channel are the real and the imaginary part of a signal; four such pairs of any channels
/// are transformed together. A pair depends on its own samples only.
@safe
final class SpectralConvolution<Sample: AudioSample>: Convolution {
  private let filter: SpectralFilter
  private let blocks: SpectralBlocks
  private let channelCount: Int
  /// The pairs of blocks that fill all lanes.
  private let batch: Int64
  private let bins: UnsafeMutableRawPointer
  private let values: UnsafeMutableRawPointer
  /// Takes the outputs of lanes without a signal.
  private let spare: UnsafeMutablePointer<Sample>

  /// Signals in a transform: the real parts.
  private static var laneCount: Int { 4 }

  /// - Parameter isRevisited: whether the last pair of a call is computed again in the next one.
  init(_ filter: SpectralFilter, channelCount: Int, isRevisited: Bool = false) {
    self.filter = filter
    blocks = filter.blocks
    self.channelCount = channelCount
    var batch = 1
    while batch * channelCount % Self.laneCount != 0 || isRevisited && batch < 4 { batch *= 2 }
    self.batch = Int64(isRevisited ? batch - 1 : batch)
    let valueSize = 2 * Self.laneCount * MemoryLayout<Double>.stride
    unsafe bins = .allocate(byteCount: blocks.inputSize * valueSize, alignment: valueSize)
    unsafe values = .allocate(byteCount: blocks.outputSize * valueSize, alignment: valueSize)
    unsafe spare = .allocate(capacity: blocks.outputHop * channelCount)
    unsafe spare.initialize(repeating: 0, count: blocks.outputHop * channelCount)
  }

  deinit {
    unsafe bins.deallocate()
    unsafe values.deallocate()
    unsafe spare.deallocate()
  }

  private var pairHop: Int64 { 2 * Int64(blocks.hop) }
  private var pairOutputs: Int64 { 2 * Int64(blocks.outputHop) }

  func firstSample(forOutput index: Int64) -> Int64 { index / pairOutputs * pairHop }

  func outputCount(before end: Int64, inWholeBatches: Bool) -> Int64 {
    let rest = end - Int64(blocks.pairLength)
    guard rest >= 0 else { return 0 }
    let pairs = rest / pairHop + 1
    return (inWholeBatches ? pairs / batch * batch : pairs) * pairOutputs
  }

  /// The pairs of blocks that hold these outputs, at least one.
  private func pairs(_ outputs: Range<Int64>) -> Range<Int64> {
    outputs.lowerBound / pairOutputs..<(outputs.upperBound - 1) / pairOutputs + 1
  }

  /// The samples of all pairs of blocks that hold these outputs, at least one.
  func samples(forOutputs outputs: Range<Int64>) -> Range<Int64> {
    let pairs = pairs(outputs)
    let last = (pairs.upperBound - 1) * pairHop
    return pairs.lowerBound * pairHop..<last + Int64(blocks.pairLength)
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    guard !outputs.isEmpty else { return }
    let pairs = pairs(outputs)
    let whole = pairs.lowerBound * pairOutputs..<pairs.upperBound * pairOutputs
    if whole == outputs {
      unsafe convolvePairs(pairs, from: samples, startingAt: start, to: target)
    } else {
      let count = whole.count * channelCount
      unsafe withUnsafeTemporaryAllocation(of: Sample.self, capacity: count) { all in
        guard let base = all.baseAddress else { return }
        unsafe convolvePairs(pairs, from: samples, startingAt: start, to: base)
        unsafe target.initialize(
          from: base + Int(outputs.lowerBound - whole.lowerBound) * channelCount,
          count: outputs.count * channelCount)
      }
    }
  }

  private func convolvePairs(
    _ pairs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    let offset = Int(pairs.lowerBound * pairHop - start) * channelCount
    let needed = ((pairs.count - 1) * Int(pairHop) + blocks.pairLength) * channelCount
    precondition(offset >= 0 && offset + needed <= samples.count)
    unsafe samples.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress else { return }
      let areFinite = unsafe convolvePairs(pairs.count, from: from + offset, to: target)
      if areFinite { return }
      let firsts = (0..<Int64(pairs.count) * pairOutputs).map {
        Int(blocks.ratio.point(ofOutput: $0).sample)
      }
      let window = InputWindow(firsts: firsts, taps: blocks.taps, channelCount: channelCount)
      let view = unsafe FrameView(from + offset, count: needed / channelCount)
      unsafe window.confine(view, in: target) { finite, others in
        _ = unsafe convolvePairs(pairs.count, from: finite.base, to: others)
      }
    }
  }

  /// - Returns: whether all samples are finite.
  private func convolvePairs(
    _ pairCount: Int, from source: UnsafePointer<Sample>, to target: UnsafeMutablePointer<Sample>
  ) -> Bool {
    var isFinite = true
    let lanes = pairCount * channelCount
    let lane = Self.laneCount
    unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: 2 * lane) { from in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer.self, capacity: 2 * lane) {
        to in
        guard let sources = from.baseAddress, let targets = to.baseAddress else { return }
        for first in stride(from: 0, to: lanes, by: lane) {
          for index in 0..<lane {
            let isUsed = first + index < lanes
            let (pair, channel) = (isUsed ? first + index : first)
              .quotientAndRemainder(dividingBy: channelCount)
            let place = unsafe source + (pair * Int(pairHop) * channelCount + channel)
            unsafe (sources + index).initialize(to: UnsafeRawPointer(place))
            unsafe (sources + lane + index).initialize(
              to: UnsafeRawPointer(place + blocks.hop * channelCount))
            let result =
              isUsed
              ? unsafe target + (pair * Int(pairOutputs) * channelCount + channel)
              : unsafe spare
            let second = isUsed ? blocks.outputHop * channelCount : 0
            unsafe (targets + index).initialize(to: UnsafeMutableRawPointer(result))
            unsafe (targets + lane + index).initialize(to: UnsafeMutableRawPointer(result + second))
          }
          let areFinite = unsafe transform(sources, targets)
          isFinite = isFinite && areFinite
        }
      }
    }
    return isFinite
  }

  private func transform(
    _ sources: UnsafePointer<UnsafeRawPointer>,
    _ targets: UnsafePointer<UnsafeMutableRawPointer>
  ) -> Bool {
    let kernels = KernelTable.current.fourier
    let isFinite = unsafe kernels.lay(
      Sample.isDouble, sources, channelCount, blocks.inputSize, bins)
    _ = unsafe filter.forward.withPlan { unsafe kernels.transform($0, bins) }
    unsafe filter.binPlaces.withUnsafeBufferPointer { places in
      unsafe filter.response.withUnsafeBufferPointer { response in
        guard let place = places.baseAddress, let factor = response.baseAddress else { return }
        unsafe kernels.filter(
          bins, blocks.inputSize, place, factor, response.count / 2, values, blocks.outputSize)
      }
    }
    _ = unsafe filter.inverse.withPlan { unsafe kernels.transform($0, values) }
    unsafe filter.outputPlaces.withUnsafeBufferPointer { places in
      guard let place = places.baseAddress else { return }
      unsafe kernels.spread(
        Sample.isDouble, values, blocks.outputSize, place, blocks.outputHop, targets, channelCount)
    }
    return isFinite
  }
}
