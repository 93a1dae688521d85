// SPDX-License-Identifier: Apache-2.0
/// A view of interleaved samples.
@safe
struct FrameView<Sample: AudioSample> {
  let base: UnsafePointer<Sample>
  /// The samples per channel in the view.
  let count: Int

  init(_ base: UnsafePointer<Sample>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @unsafe
  func sample(_ index: Int, _ channel: Int, of channelCount: Int) -> Sample {
    unsafe base[index * channelCount + channel]
  }
}

extension FrameView {
  /// A view whose sample type the compiler knows, like ``KnownSamples``.
  @safe
  enum Known {
    case single(FrameView<Float>)
    case double(FrameView<Double>)
  }

  var known: Known {
    let start = unsafe UnsafeRawPointer(base)
    switch Sample.precision {
    case .single:
      return unsafe .single(
        FrameView<Float>(start.assumingMemoryBound(to: Float.self), count: count))
    case .double:
      return unsafe .double(
        FrameView<Double>(start.assumingMemoryBound(to: Double.self), count: count))
    }
  }
}

/// Copies samples; replaces those that are not finite by 0.
func copyFinite<Sample: AudioSample>(
  _ samples: FrameView<Sample>, _ channelCount: Int, to target: UnsafeMutableRawPointer
) {
  let target = unsafe target.assumingMemoryBound(to: Sample.self)
  for index in 0..<samples.count {
    for channel in 0..<channelCount {
      let sample = unsafe samples.sample(index, channel, of: channelCount)
      let place = index * channelCount + channel
      unsafe (target + place).initialize(to: sample.isFinite ? sample : 0)
    }
  }
}

/// The input samples of a block's outputs.
struct Reach {
  /// The first sample per channel of each output.
  let firsts: [Int]
  let taps: Int
  let channelCount: Int
}

/// Replaces NaN outputs whose input samples are all finite by `others`.
func restore<Sample: AudioSample>(
  _ target: UnsafeMutableRawPointer, from others: UnsafeRawPointer, _ reach: Reach,
  of samples: FrameView<Sample>
) {
  let target = unsafe target.assumingMemoryBound(to: Sample.self)
  let others = unsafe others.assumingMemoryBound(to: Sample.self)
  let channelCount = reach.channelCount
  for (number, first) in reach.firsts.enumerated() {
    for channel in 0..<channelCount {
      let place = number * channelCount + channel
      guard unsafe target[place].isNaN else { continue }
      let isReached = (first..<first + reach.taps).contains {
        unsafe !samples.sample($0, channel, of: channelCount).isFinite
      }
      if !isReached { unsafe target[place] = others[place] }
    }
  }
}
