// SPDX-License-Identifier: Apache-2.0
/// Filters a stream in double precision, without delay and without changing its length.
///
/// A NaN sample spoils at most the ``settlingLength`` sample frames after it: at every multiple of that length in the
/// stream, states that are not finite, or too small to be heard, become silence.
package final class FilterStage<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  private let sections: [FilterSection]
  private var states: [Double]
  /// The position in the stream, in sample frames since the last multiple of ``settlingLength``.
  private var phase = 0
  /// A block of a stream in single precision, widened to double.
  private var wide: [Double] = []

  /// The number of sample frames between two checks of the states.
  private static var settlingLength: Int { 256 }

  /// - Parameter filters: the filters, applied in order.
  /// - Throws: `invalidParameter` if a frequency is not below half the rate.
  package init(format: StreamFormat, _ filters: [SoundFilter]) throws(AudioError) {
    inputFormat = format
    var sections: [FilterSection] = []
    for filter in filters { sections += try filter.sections(at: format.sampleRate) }
    self.sections = sections
    states = Array(
      repeating: 0, count: FilterSection.stateSize * sections.count * format.channelCount)
  }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let begin = output.count
    output.append(input)
    var samples = output.writable(begin..<output.count)
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      if Sample.precision == .double {
        unsafe run(
          UnsafeMutableRawPointer(base).assumingMemoryBound(to: Double.self), buffer.count)
      } else {
        unsafe runWide(
          UnsafeMutableRawPointer(base).assumingMemoryBound(to: Float.self), buffer.count)
      }
    }
  }

  private func runWide(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    if wide.count < count { wide = Array(repeating: 0, count: count) }
    unsafe wide.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe KernelTable.current.widen(samples, count, base)
      unsafe run(base, count)
      _ = unsafe KernelTable.current.narrow(base, count, samples)
    }
  }

  private func run(_ samples: UnsafeMutablePointer<Double>, _ count: Int) {
    let width = inputFormat.channelCount
    unsafe sections.withUnsafeBufferPointer { sections in
      unsafe states.withUnsafeMutableBufferPointer { states in
        guard let section = sections.baseAddress, let state = states.baseAddress else { return }
        var place = 0
        while place < count / width {
          let length = min(Self.settlingLength - phase, count / width - place)
          unsafe KernelTable.current.filters.run(
            samples + place * width, length, width, phase % 2 == 1, section, sections.count, state)
          place += length
          phase += length
          guard phase == Self.settlingLength else { continue }
          phase = 0
          unsafe KernelTable.current.filters.settle(state, states.count / FilterSection.stateSize)
        }
      }
    }
  }
}
