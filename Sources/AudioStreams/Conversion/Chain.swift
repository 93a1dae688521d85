// SPDX-License-Identifier: Apache-2.0
/// A series of stages: samples enter at `input`, pass the stages in order and wait at `output`, or go on into branches.
///
/// Without a stage the input is the output, without a copy. Session thread only.
package final class Chain<Sample: AudioSample> {
  private struct Step {
    let stage: any StreamStage<Sample>
    let input: SampleQueue<Sample>
    var output: SampleQueue<Sample>

    func run() throws(AudioError) {
      guard !input.isEmpty || stage.isWaiting else { return }
      // Samples on which a stage failed are not tried again.
      defer { input.removeAll() }
      try stage.process(input.readable, into: output)
    }
  }

  // Private fields are faster, as in ``SampleQueue``.
  private var first = SampleQueue<Sample>()
  private var last: SampleQueue<Sample>
  private var hasEnded = false

  /// The queue at which samples enter.
  package var input: SampleQueue<Sample> {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get { first }
  }

  /// The samples that have passed all stages and were not taken yet.
  package var output: SampleQueue<Sample> {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get { last }
  }

  /// Whether the output has ended.
  package var isEnded: Bool {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get { hasEnded }
  }

  /// The format at the output.
  package private(set) var format: StreamFormat
  /// The loudspeakers of the channels at the output; nil = the usual ones. A stage that changes the channel count sets
  /// it to nil.
  package var layout: Metadata.ChannelLayout?
  /// How many stages are finished at the end of the stream.
  private var finishedCount = 0

  private var steps: [Step] = []
  private var branches: [Chain]?
  private let largestBlockSize: Int
  /// The block size, which is smaller if many stages hold a part of a block.
  private var blockSize: Int { min(largestBlockSize, BlockSize.samples(through: stageCount)) }
  /// Samples, across all channels, that may wait at the end beyond a block if this stream is ahead of others.
  package var slack = 0
  package let inputFormat: StreamFormat
  /// The highest rate along the chain, in samples per second across all channels.
  private var widest: Int

  /// - Parameters:
  ///   - layout: the loudspeakers of the channels; nil = the usual ones.
  ///   - blockSize: about how many samples, across all channels, are in the chain at a time.
  package init(
    format: StreamFormat, _ layout: Metadata.ChannelLayout? = nil,
    blockSize: Int = BlockSize.samples
  ) {
    self.layout = layout
    largestBlockSize = blockSize
    inputFormat = format
    self.format = format
    widest = format.samplesPerSecond
    last = first
  }

  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func append(_ stage: any StreamStage<Sample>) {
    precondition(stage.inputFormat == format && branches == nil)
    let queue = SampleQueue<Sample>()
    steps.append(Step(stage: stage, input: output, output: queue))
    last = queue
    if stage.outputFormat.channelCount != format.channelCount { layout = nil }
    format = stage.outputFormat
    widest = max(widest, format.samplesPerSecond)
  }

  package var stageCount: Int { steps.count }

  /// Inserts a stage that keeps the format before the stage at `index`, or at the end. Samples behind that place stay
  /// unchanged.
  package func insert(_ stage: any StreamStage<Sample>, at index: Int) {
    precondition(stage.inputFormat == stage.outputFormat)
    let queue = SampleQueue<Sample>()
    if index == 0 {
      steps.insert(Step(stage: stage, input: queue, output: input), at: 0)
      first = queue
    } else {
      steps.insert(Step(stage: stage, input: queue, output: steps[index - 1].output), at: index)
      steps[index - 1].output = queue
    }
  }

  /// Flushes the stage at `index`, as if the stream ended there.
  package func finish(at index: Int) throws(AudioError) {
    try steps[index].run()
    repeat {
      try steps[index].stage.finish(into: steps[index].output)
    } while !steps[index].stage.isFinished
  }

  /// Removes the stage at `index`, which keeps the format and holds no samples back.
  package func remove(at index: Int) {
    let step = steps.remove(at: index)
    step.output.append(step.input.readable)
    if index == 0 { first = step.output } else { steps[index - 1].output = step.output }
  }

  /// Replaces the stage at `index`, which has equal formats and holds no samples back, by `stage`.
  package func replace(at index: Int, with stage: any StreamStage<Sample>) {
    let old = steps[index]
    precondition(
      stage.inputFormat == old.stage.inputFormat && stage.outputFormat == old.stage.outputFormat)
    steps[index] = Step(stage: stage, input: old.input, output: old.output)
  }

  /// Splits the stream at its end into `count` chains that each get all samples. For 1 it returns the chain itself; for
  /// 0 the samples are dropped.
  package func split(_ count: Int) -> [Chain] {
    if count == 1 { return [self] }
    let parts = (0..<count).map { _ in Chain(format: format, layout, blockSize: largestBlockSize) }
    branches = parts
    return parts
  }

  /// How many samples per channel to put into the input at a time, so that no stage makes much more than a block of
  /// them.
  package var blockLength: Int {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get {
      let most = branches.map { $0.reduce(widest) { max($0, $1.widest) } } ?? widest
      return max(1, blockSize * inputFormat.sampleRate / most)
    }
  }

  /// Whether a stage is waiting: ``run()`` moves it on, and no more should be read.
  package var isWaiting: Bool {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get { !isEnded && steps.contains { $0.stage.isWaiting } }
  }

  /// Whether a block or more waits at the end: no more should be read.
  package var isFull: Bool {
    @_specialize(exported:true,kind:full,where Sample == Float)
    @_specialize(exported:true,kind:full,where Sample == Double)
    get {
      if let branches { return branches.contains { $0.isFull } }
      return output.count >= blockSize + slack
    }
  }

  /// Runs a chain whose stages may be waiting, like ``run()``.
  ///
  /// - Returns: whether a waiting stage gave samples or stopped waiting.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func advance() throws(AudioError) -> Bool {
    var hasMoved = false
    for step in steps {
      let (wasWaiting, before) = (step.stage.isWaiting, step.output.count)
      try step.run()
      if wasWaiting, !step.stage.isWaiting || step.output.count > before { hasMoved = true }
    }
    try moveToBranches()
    return hasMoved
  }

  /// Runs all stages, and moves their output to the branches.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func run() throws(AudioError) {
    for step in steps { try step.run() }
    try moveToBranches()
  }

  private func moveToBranches() throws(AudioError) {
    guard let branches, !output.isEmpty else { return }
    for branch in branches {
      branch.input.append(output.readable)
      try branch.run()
    }
    output.removeAll()
  }

  /// Ends the input: runs the stages and flushes them. If a stage has much to give at the end, the chain ``isEnded``
  /// only after several calls.
  ///
  /// - Throws: the first error of a stage, after the output of all stages has moved to the end.
  @_specialize(exported:true,kind:full,where Sample == Float)
  @_specialize(exported:true,kind:full,where Sample == Double)
  package func end() throws(AudioError) {
    if isEnded { return }
    var failure: AudioError?
    func attempt(_ move: () throws(AudioError) -> Void) {
      do { try move() } catch { failure = failure ?? error }
    }
    while finishedCount < steps.count {
      let step = steps[finishedCount]
      attempt { () throws(AudioError) in try step.run() }
      attempt { () throws(AudioError) in try step.stage.finish(into: step.output) }
      guard failure != nil || step.stage.isFinished else { return try moveRest(of: finishedCount) }
      finishedCount += 1
    }
    hasEnded = true
    for branch in branches ?? [] {
      branch.input.append(output.readable)
      attempt { () throws(AudioError) in try branch.end() }
    }
    if branches != nil { output.removeAll() }
    if let failure { throw failure }
  }

  /// Moves the output of the stage at `index` on; the stage has more to give.
  private func moveRest(of index: Int) throws(AudioError) {
    for step in steps.dropFirst(index + 1) { try step.run() }
    try moveToBranches()
  }
}

/// A ``Chain`` whose owner does not name the type of its samples: a source learns the session's type at its first
/// `read`, and makes its chain in that type then. Session thread only.
package protocol ErasedChain: AnyObject {
  /// Whether the output has ended.
  var isEnded: Bool { get }

  /// Ends the input: runs the stages and flushes them. See ``Chain/end()``.
  func end() throws(AudioError)

  /// Moves whole sample frames from the end of the chain to `target` until that is full. Samples of equal type are
  /// copied unchanged.
  ///
  /// - Returns: whether any were waiting.
  func take<Target: AudioSample>(into target: inout OutputSpan<Target>) -> Bool
}

extension Chain: ErasedChain {
  package func take<Target: AudioSample>(into target: inout OutputSpan<Target>) -> Bool {
    output.take(into: &target, channelCount: format.channelCount)
  }
}

extension SampleQueue {
  /// Moves whole sample frames to `target` until that is full.
  ///
  /// - Returns: whether any were waiting.
  func take<Target: AudioSample>(
    into target: inout OutputSpan<Target>, channelCount: Int
  ) -> Bool {
    if isEmpty { return false }
    let taken = min(count, target.freeCapacity - target.freeCapacity % channelCount)
    Sample.present(readable.extracting(first: taken), in: &target)
    consume(taken)
    return true
  }
}

/// The amount of audio that moves through the session at a time.
package enum BlockSize {
  /// Samples across all channels: as `Float` 64 KiB, so that a block stays in a core's own cache.
  package static let samples = 16_384

  /// The smallest size worth its overhead; enough for a stream in real time.
  package static let smallest = 2_048

  /// Returns the block size for each of `count` summed streams: their blocks together stay in the cores' shared cache.
  package static func samples(inEachOf count: Int) -> Int {
    max(smallest, samples * 8 / max(8, count))
  }

  /// Returns the block size for a stream through `count` stages, each of which holds an input and an output block.
  static func samples(through count: Int) -> Int { max(smallest, samples * 64 / max(64, count)) }

  /// The samples per channel of a block.
  package static func samplesPerChannel(_ format: StreamFormat) -> Int {
    max(1, samples / format.channelCount)
  }
}

extension Chain {
  /// Adds the stages that convert the chain's format to `target`; none if they are equal.
  package func convert(
    to target: StreamFormat, with filters: ResamplerFilters<Sample>
  ) throws(AudioError) {
    try convert(toChannelCount: target.channelCount) { () throws(AudioError) in
      if target.sampleRate == format.sampleRate { return }
      let filter = filters.filter(from: format.sampleRate, to: target.sampleRate)
      try append(
        Resampler<Sample>(
          from: format, sampleRate: target.sampleRate, filter: filter,
          pool: filters.poolForNextStream(), isPrompt: filters.isPrompt))
    }
  }

  /// Adds the stages that convert the chain's format to `target`, with filters of its own.
  ///
  /// - Parameter isLive: whether a short delay matters more than a low cost.
  package func convert(
    to target: StreamFormat, quality: ResamplerQuality, isLive: Bool
  ) throws(AudioError) {
    try convert(to: target, with: ResamplerFilters(quality: quality, isLive: isLive))
  }

  /// Converts channels on the side of a rate conversion that has fewer of them.
  ///
  /// - Parameter resample: adds the rate conversion.
  package func convert(
    toChannelCount channelCount: Int, around resample: () throws(AudioError) -> Void
  ) throws(AudioError) {
    if channelCount < format.channelCount {
      try append(ChannelConversion<Sample>(from: format, layout, channelCount: channelCount))
    }
    try resample()
    if channelCount != format.channelCount {
      try append(ChannelConversion<Sample>(from: format, layout, channelCount: channelCount))
    }
  }
}
