// SPDX-License-Identifier: Apache-2.0
/// Converts a stream to the sample rate of another device's clock, which differs slightly from its nominal value and
/// changes over time.
///
/// Its ratio can be set at any time: 1 + ``correction`` times the ratio of the two formats' rates, 1 : 1 included. It
/// has linear phase and is compensated for delay: the first output stands at the first input sample, each further
/// output one step later. No step is ever undone or repeated, so that the signal stays continuous if the ratio changes.
/// At a correction of 0 the length is exact, as with ``Resampler``. Before the stream's beginning and after its end
/// lies silence.
///
/// The output depends only on the input and on the input positions at which the ratio was set, bit for bit, not on
/// other block boundaries. Memory is bounded; once the queues have grown to the size of the blocks, nothing is
/// allocated. The quality is that of ``ResamplerQuality`` within a thousandth of the ratio: "Nyquist" refers to the
/// nominal rates. Session thread only.
///
/// Coefficients lie in a grid and are interpolated for each output (``PolyphaseFilter``). This takes a few times the
/// work of a fixed ratio.
package final class AsynchronousResampler<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  package let outputFormat: StreamFormat
  private let filter: PolyphaseFilter<Sample>
  private let history: ChannelHistory<Sample>
  private var point: VaryingPoint
  /// Input samples per channel that were dropped from the history.
  private var begin: Int

  /// The relative excess of outputs over the nominal ratio: 0.0001 gives 100 in a million more. It applies from the
  /// next output on, and is limited to ±0.001.
  package var correction = 0.0 {
    didSet { point.correct(by: correction) }
  }

  /// Allocates and computes the filter: some milliseconds.
  package convenience init(
    from inputFormat: StreamFormat, sampleRate: Int, quality: ResamplerQuality = .high
  ) throws(AudioError) {
    let ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    // A table of 0 coefficients makes every filter a grid.
    try self.init(
      from: inputFormat, sampleRate: sampleRate,
      filter: PolyphaseFilter(ratio: ratio, quality: quality, largestTable: 0))
  }

  /// - Parameter filter: a grid for this pair of rates.
  init(
    from inputFormat: StreamFormat, sampleRate: Int, filter: PolyphaseFilter<Sample>
  ) throws(AudioError) {
    precondition(filter.isGrid)
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: sampleRate, channelCount: inputFormat.channelCount)
    self.filter = filter
    history = ChannelHistory(
      channelCount: inputFormat.channelCount, capacity: 2 * filter.taps + 4_096)
    point = VaryingPoint(
      ratio: ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate))
    // The first output stands at the first input sample, which is tap taps/2 − 1.
    history.appendSilence(filter.taps / 2 - 1)
    begin = 0
  }

  /// How many input samples per channel beyond its own time an output sample waits for.
  package var latency: Int { filter.taps / 2 }

  /// The position of the next output, in input samples per channel from the first one.
  package var inputPosition: Double {
    Double(begin + point.index) + Double(point.phase) / Double(point.scale)
  }

  /// The distance between outputs, in input samples per channel.
  package var step: Double { point.step }

  /// Moves the next output on, so that the signal is discontinuous there.
  ///
  /// - Parameter part: in input samples, at least 0.
  package func skip(_ part: Double) { point.skip(part) }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    var start = 0
    while start < input.count {
      let end = min(start + history.room * width, input.count)
      history.append(input.extracting(start..<end))
      start = end
      convert(into: output)
    }
  }

  package func finish(into output: SampleQueue<Sample>) {
    var missing = filter.taps / 2
    while missing > 0 {
      let added = min(missing, history.room)
      history.appendSilence(added)
      missing -= added
      convert(into: output)
    }
  }

  /// Appends every output sample whose input the history holds.
  private func convert(into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let count = point.outputsReady(upTo: history.count - filter.taps)
    output.append(atMost: count * width) { target in
      unsafe target.appendSamples(count * width) { samples in
        unsafe convolve(filter, history, from: point, count, to: samples)
      }
    }
    point.advance(by: count)
    if history.room < history.count {
      let dropped = min(point.index, history.count)
      history.drop(dropped)
      point.index -= dropped
      begin += dropped
    }
  }
}

/// The position of an output sample on the input while the ratio varies: `index` + `phase` / `scale`. Index 0 is the
/// first sample of the history.
///
/// Advancing rounds nothing. `scale` is L × 2^q for a nominal ratio of L/M, so that the nominal step M/L is a whole
/// number of parts, as every other step is; q is as large as 62 bits allow. At a correction of 0 the points always
/// equal those of ``RationalPoint``. At any other correction the step is rounded once, when it is set: by at most 2^-52
/// of the correction, less than a hundred-thousandth of a sample in a day at 192 kHz.
package struct VaryingPoint: OutputPoint {
  /// The number of parts in an input sample.
  let scale: Int
  var index = 0
  private(set) var phase = 0
  private let nominalWhole: Int
  private let nominalPart: Int
  private var wholeStep: Int
  private var partialStep: Int

  /// The largest correction to either side: one part in a thousand.
  package static let largestCorrection = 1e-3

  init(ratio: ResamplingRatio) {
    let spare = ratio.phaseCount.leadingZeroBitCount - 2
    scale = ratio.phaseCount << spare
    let (whole, rest) = ratio.step.quotientAndRemainder(dividingBy: ratio.phaseCount)
    nominalWhole = whole
    nominalPart = rest << spare
    wholeStep = nominalWhole
    partialStep = nominalPart
  }

  /// Sets the ratio to 1 + `correction` times the nominal ratio, from the next output on.
  ///
  /// - Parameter correction: limited to ±``largestCorrection``.
  mutating func correct(by correction: Double) {
    let limit = Self.largestCorrection
    let bounded = min(max(correction, -limit), limit)
    // step / (1 + c) = step − step · c / (1 + c): only the small difference is rounded.
    let nominal = Double(nominalWhole) + Double(nominalPart) / Double(scale)
    let change = -nominal * bounded / (1 + bounded) * Double(scale)
    // At rates as far apart as 768 : 1 the change may be most of a sample.
    let part = nominalPart + Int(change.rounded())
    let (whole, rest) = part.quotientAndRemainder(dividingBy: scale)
    wholeStep = nominalWhole + whole - (rest < 0 ? 1 : 0)
    partialStep = rest < 0 ? rest + scale : rest
  }

  /// The distance between outputs, in input samples.
  var step: Double { Double(wholeStep) + Double(partialStep) / Double(scale) }

  @inline(__always)
  mutating func advance() {
    index &+= wholeStep
    phase &+= partialStep
    if phase >= scale {
      phase &-= scale
      index &+= 1
    }
  }

  /// The position is rounded to 2^-53 of a sample here, an error below −300 dB; the rounding does not accumulate.
  func gridPoint(rowCount: Int) -> (row: Int, rest: Double) {
    let position = Double(phase) / Double(scale) * Double(rowCount)
    // Rounding may move the last point to the next sample, which lacks four rows.
    let row = min(Int(position), rowCount - 1)
    return (row, position - Double(row))
  }

  /// - Parameter part: in input samples, at least 0.
  mutating func skip(_ part: Double) {
    let parts = Int128(phase) + Int128(part * Double(scale))
    let (whole, rest) = parts.quotientAndRemainder(dividingBy: Int128(scale))
    index += Int(whole)
    phase = Int(rest)
  }

  mutating func advance(by count: Int) {
    let parts = Int128(count) * Int128(partialStep) + Int128(phase)
    let (whole, rest) = parts.quotientAndRemainder(dividingBy: Int128(scale))
    index += count * wholeStep + Int(whole)
    phase = Int(rest)
  }

  /// How many output samples, from this one on, have an index of at most `lastIndex`.
  func outputsReady(upTo lastIndex: Int) -> Int {
    guard lastIndex >= index else { return 0 }
    let reach = Int128(lastIndex - index + 1) * Int128(scale) - 1 - Int128(phase)
    let step = Int128(wholeStep) * Int128(scale) + Int128(partialStep)
    return Int(reach / step) + 1
  }
}
