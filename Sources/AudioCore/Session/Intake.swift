/// Reads one source into its strand.
final class Intake<Sample: AudioSample> {
  let life: SourceLife
  private let strand: Strand<Sample>
  /// Samples per channel read so far.
  private(set) var samplesPerChannel: Int64 = 0
  /// Why a live source ended before its time; what it had given is delivered all the same.
  private(set) var failure: AudioError?
  private var isFinishing = false

  private let limit: Int64

  /// - Parameter limit: samples per channel after which no more is read.
  init(_ life: SourceLife, into strand: Strand<Sample>, atMost limit: Int64? = nil) {
    self.life = life
    self.strand = strand
    self.limit = limit ?? .max
  }

  var id: SourceID { life.entry.id }
  var format: StreamFormat { life.description.format }
  var expectedSamplesPerChannel: Int64? {
    let length = life.description.samplesPerChannel
    return limit == .max ? length : min(limit, length ?? limit)
  }
  var isEnded: Bool { strand.isEnded }
  /// Whether a device paces the source.
  var isClock: Bool { life.description.pace.clock != nil }
  var secondsRead: Double { Double(samplesPerChannel) / Double(format.sampleRate) }

  /// Whether nobody can tell when the source will end.
  var isOpenEnded: Bool { expectedSamplesPerChannel == nil || life.description.isLive }

  func start() throws(AudioError) { try life.start() }

  /// Takes nothing more than what a live source holds already.
  func finishEarly() {
    isFinishing = true
    if life.description.isLive { life.stop() }
  }

  /// Reads one block where there is room for it.
  ///
  /// - Returns: whether anything moved.
  func run() throws(AudioError) -> Bool {
    if strand.isEnded || strand.isFull && !isFinishing { return false }
    if samplesPerChannel == limit || isFinishing && !life.description.isLive { return try end() }
    switch try read() {
    case .ready:
      return try move { () throws(AudioError) in try strand.run() }
    case .pending:
      return isFinishing ? try end() : false
    case .ended:
      return try end()
    }
  }

  private func read() throws(AudioError) -> SourceStatus {
    let before = strand.input.count
    let channelCount = format.channelCount
    let length = Int(min(Int64(strand.blockLength), limit - samplesPerChannel))
    let source = life.entry.source
    var status = SourceStatus.ended
    do {
      status = try strand.input.append(atMost: length * channelCount) {
        output throws(AudioError) in try source.read(into: &output)
      }
    } catch {
      if error.kind == .interrupted {
        // The engine is about to see for itself that it is asked to end.
        status = .pending
      } else if life.description.isLive {
        failure = error
      } else {
        throw error
      }
    }
    let (read, rest) = (strand.input.count - before).quotientAndRemainder(dividingBy: channelCount)
    guard rest == 0 else {
      throw AudioError(
        .lifeCycle, cannot: "read source", id.description,
        because: "it gave a part of a sample of its \(channelCount) channels")
    }
    samplesPerChannel += Int64(read)
    return status
  }

  private func end() throws(AudioError) -> Bool {
    life.stop()
    return try move { () throws(AudioError) in try strand.end() }
  }

  /// Moves samples through the strand. What a live source gave cannot be had again: where a stage fails,
  /// everything up to there is delivered first.
  private func move(_ body: () throws(AudioError) -> Void) throws(AudioError) -> Bool {
    do {
      try body()
    } catch {
      guard life.description.isLive else { throw error }
      if failure == nil { failure = error }
    }
    return true
  }
}
