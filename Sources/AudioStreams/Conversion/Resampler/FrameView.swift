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
