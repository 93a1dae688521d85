// SPDX-License-Identifier: Apache-2.0
/// The input samples of a block's outputs.
struct InputWindow {
  /// The first sample per channel of each output.
  let firsts: [Int]
  let taps: Int
  let channelCount: Int
}

extension InputWindow {
  /// Confines the effect of samples that are not finite to the outputs whose taps they meet: those are NaN, and so is,
  /// until this call, any other output of their block.
  ///
  /// - Parameter compute: computes all outputs anew, from samples that are finite.
  @unsafe
  func confine<Sample: AudioSample>(
    _ samples: FrameView<Sample>, in target: UnsafeMutablePointer<Sample>,
    _ compute: (FrameView<Sample>, UnsafeMutablePointer<Sample>) -> Void
  ) {
    let finite = SampleQueue<Sample>()
    finite.append(atMost: samples.count * channelCount) { output in
      unsafe output.appendSamples(samples.count * channelCount) { target in
        switch samples.known {
        case .single(let samples): unsafe copyFinite(samples, channelCount, to: target)
        case .double(let samples): unsafe copyFinite(samples, channelCount, to: target)
        }
      }
    }
    let others = SampleQueue<Sample>()
    others.append(atMost: firsts.count * channelCount) { output in
      unsafe output.appendSamples(firsts.count * channelCount) { first in
        unsafe finite.readable.withUnsafeBufferPointer { source in
          guard let from = source.baseAddress else { return }
          unsafe compute(FrameView(from, count: samples.count), first)
        }
      }
    }
    unsafe others.readable.withUnsafeBufferPointer { others in
      guard let others = others.baseAddress else { return }
      switch samples.known {
      case .single(let samples): unsafe restore(target, from: others, self, of: samples)
      case .double(let samples): unsafe restore(target, from: others, self, of: samples)
      }
    }
  }
}

/// Copies samples; replaces those that are not finite by 0.
private func copyFinite<Sample: AudioSample>(
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

/// Replaces NaN outputs whose input samples are all finite by `others`.
private func restore<Sample: AudioSample>(
  _ target: UnsafeMutableRawPointer, from others: UnsafeRawPointer, _ window: InputWindow,
  of samples: FrameView<Sample>
) {
  let target = unsafe target.assumingMemoryBound(to: Sample.self)
  let others = unsafe others.assumingMemoryBound(to: Sample.self)
  let channelCount = window.channelCount
  for (number, first) in window.firsts.enumerated() {
    for channel in 0..<channelCount {
      let place = number * channelCount + channel
      guard unsafe target[place].isNaN else { continue }
      let isReached = (first..<first + window.taps).contains {
        unsafe !samples.sample($0, channel, of: channelCount).isFinite
      }
      if !isReached { unsafe target[place] = others[place] }
    }
  }
}
