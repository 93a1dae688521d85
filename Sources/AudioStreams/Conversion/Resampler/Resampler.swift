// SPDX-License-Identifier: Apache-2.0
/// Converts a stream to another sample rate by band-limited interpolation.
///
/// Linear phase and compensated for delay: output k stands at exactly k / output rate. A stream of n samples per
/// channel becomes one of ⌈n × output rate / input rate⌉; before its beginning and after its end lies silence. The
/// result does not depend on the block boundaries of the input, bit for bit. Memory is bounded for every pair of rates.
/// Session thread only.
///
/// A program converts an array with ``resample(_:from:to:channelCount:quality:filterCache:)``; a session converts the
/// rates of its streams itself.
public final class Resampler<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  package let outputFormat: StreamFormat
  private let ratio: ResamplingRatio
  private let filter: ResamplerFilter<Sample>
  private let convolution: any Convolution<Sample>
  /// Computes ahead on the worker pool if that has workers; nil without a pool.
  private let pieces: ResamplerPieces<Sample>?
  private let isPrompt: Bool
  /// The input, with taps/2 − 1 zeros before it, from sample `start` per channel on.
  private let waiting = SampleQueue<Sample>()
  private var start: Int64 = 0
  /// The number of the next output.
  private var next: Int64 = 0

  /// - Parameters:
  ///   - filter: the filter for this pair of rates, which should differ.
  ///   - pool: computes pieces of the input on other threads: the output comes some pieces later, but unchanged.
  ///   - isPrompt: whether each call returns all that its input completes, if that costs more. The output is unchanged.
  package init(
    from inputFormat: StreamFormat, sampleRate: Int, filter: ResamplerFilter<Sample>,
    pool: WorkerPool? = nil, isPrompt: Bool = false
  ) throws(AudioError) {
    self.inputFormat = inputFormat
    outputFormat = try StreamFormat(
      sampleRate: sampleRate, channelCount: inputFormat.channelCount)
    ratio = ResamplingRatio(from: inputFormat.sampleRate, to: sampleRate)
    self.filter = filter
    self.isPrompt = isPrompt
    convolution = filter.convolution(channelCount: inputFormat.channelCount)
    pieces = pool.map { pool in
      ResamplerPieces(filter, channelCount: inputFormat.channelCount, pool)
    }
    // The first output stands at the first input sample, which is tap taps/2 − 1.
    waiting.appendSilence((filter.taps / 2 - 1) * inputFormat.channelCount)
  }

  /// The most samples per channel converted at a time, to bound the memory.
  private static var longestPiece: Int { 8_192 }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let piece = Self.longestPiece * inputFormat.channelCount
    for start in stride(from: 0, to: input.count, by: piece) {
      waiting.append(input.extracting(start..<min(start + piece, input.count)))
      convert(into: output)
    }
    if isPrompt {
      convert(inWholeBatches: false, into: output)
      pieces?.finish(into: output)
    }
  }

  package func finish(into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    // The input has taps/2 − 1 zeros before it.
    let end = start + Int64(waiting.count / width)
    let total = ratio.outputLength(of: end - Int64(filter.taps / 2 - 1))
    waiting.appendSilence(filter.taps / 2 * width)
    var last = end + Int64(filter.taps / 2)
    while convolution.outputCount(before: last, inWholeBatches: false) < total {
      waiting.appendSilence(Self.silence * width)
      last += Int64(Self.silence)
    }
    convert(upTo: total, into: output)
    pieces?.finish(into: output)
  }

  /// Zeros that are added at a time until the input suffices for the last outputs.
  private static var silence: Int { 1_024 }

  /// Appends every output sample whose input has come.
  ///
  /// - Parameter total: the outputs of the whole stream; nil before its end.
  private func convert(
    upTo total: Int64? = nil, inWholeBatches: Bool = true, into output: SampleQueue<Sample>
  ) {
    let width = inputFormat.channelCount
    let end = start + Int64(waiting.count / width)
    let ready = total ?? convolution.outputCount(before: end, inWholeBatches: inWholeBatches)
    let outputs = next..<max(next, ready)
    guard !outputs.isEmpty else { return }
    let waiting = waiting
    if let pieces, pieces.isWanted {
      pieces.add(outputs, from: waiting.readable, startingAt: start, into: output)
    } else {
      convolution.append(
        outputs, from: waiting.readable, startingAt: start, channelCount: width, to: output)
    }
    next = outputs.upperBound
    let needed = min(convolution.firstSample(forOutput: next), end)
    waiting.consume(Int(needed - start) * width)
    start = needed
  }
}

/// Computes the output of a rate conversion ahead, several pieces at a time, and passes it on in order.
final class ResamplerPieces<Sample: AudioSample> {
  private let pool: WorkerPool
  private let filter: ResamplerFilter<Sample>
  private let channelCount: Int
  /// The pieces that are being computed, in order.
  private var pieces: [Piece] = []
  private var idle: [Piece] = []
  private var begun = 0

  /// The pieces that the session thread computes itself before it uses the pool: a short stream ends before a thread
  /// has started.
  private static var ownPieces: Int { 2 }

  init(_ filter: ResamplerFilter<Sample>, channelCount: Int, _ pool: WorkerPool) {
    self.filter = filter
    self.channelCount = channelCount
    self.pool = pool
  }

  /// Whether the next outputs have to come from here: workers are available, or earlier outputs are still waiting.
  var isWanted: Bool { pool.isAllowed || !pieces.isEmpty }

  /// Begins to compute `outputs`; `samples` are copied.
  func add(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    into output: SampleQueue<Sample>
  ) {
    let piece = idle.popLast() ?? Piece(filter, channelCount)
    piece.begin(outputs, from: samples, startingAt: start)
    pieces.append(piece)
    begun += 1
    if begun <= Self.ownPieces { piece.work.run() } else { pool.add(piece.work) }
    while let first = pieces.first, first.work.isDone || pieces.count >= pool.usefulItemCount {
      handOn(first, into: output)
    }
  }

  /// Appends every piece that was begun.
  func finish(into output: SampleQueue<Sample>) {
    while let first = pieces.first { handOn(first, into: output) }
  }

  private func handOn(_ piece: Piece, into output: SampleQueue<Sample>) {
    pool.finish(piece.work)
    let result = piece.result
    output.append(result.readable)
    pieces.removeFirst()
    idle.append(piece)
  }

  private final class Piece {
    let result: SampleQueue<Sample>
    let work: WorkItem
    private let task: Task

    /// The input and the output of a piece; a separate object, so that the work does not keep the piece alive.
    private final class Task {
      let input = SampleQueue<Sample>()
      let result = SampleQueue<Sample>()
      let convolution: any Convolution<Sample>
      let channelCount: Int
      var outputs: Range<Int64> = 0..<0
      var start: Int64 = 0

      init(_ filter: ResamplerFilter<Sample>, _ channelCount: Int) {
        convolution = filter.convolution(channelCount: channelCount)
        self.channelCount = channelCount
      }

      func run() {
        let input = input
        convolution.append(
          outputs, from: input.readable, startingAt: start, channelCount: channelCount, to: result)
      }
    }

    init(_ filter: ResamplerFilter<Sample>, _ channelCount: Int) {
      let task = Task(filter, channelCount)
      self.task = task
      result = task.result
      work = WorkItem { task.run() }
    }

    func begin(_ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64) {
      task.input.removeAll()
      task.input.append(samples)
      task.result.removeAll()
      task.outputs = outputs
      task.start = start
      work.reset()
    }
  }
}
