/// Reads one source into its strand.
final class Intake<Sample: AudioSample> {
  private let life: SourceLife
  private let strand: Strand<Sample>
  /// Samples per channel read so far.
  private(set) var samplesPerChannel: Int64 = 0
  private var isFinishing = false

  init(_ life: SourceLife, into strand: Strand<Sample>) {
    self.life = life
    self.strand = strand
  }

  var id: SourceID { life.entry.id }
  var format: StreamFormat { life.description.format }
  var expectedSamplesPerChannel: Int64? { life.description.samplesPerChannel }
  var isEnded: Bool { strand.isEnded }

  func start() throws(AudioError) { try life.start() }

  /// Takes nothing more than what a live source holds already.
  func finishEarly() { isFinishing = true }

  /// Reads one block where there is room for it.
  ///
  /// - Returns: whether anything moved.
  func run() throws(AudioError) -> Bool {
    if strand.isEnded || strand.isFull && !isFinishing { return false }
    if isFinishing, !life.description.isLive { return try end() }
    let before = strand.input.count
    let channelCount = format.channelCount
    let capacity = BlockSize.samplesPerChannel(format) * channelCount
    let source = life.entry.source
    let status: SourceStatus
    do {
      status = try strand.input.append(atMost: capacity) { output throws(AudioError) in
        try source.read(into: &output)
      }
    } catch {
      // The engine is about to see for itself that it is asked to end.
      if error.kind == .interrupted { return false }
      throw error
    }
    samplesPerChannel += Int64((strand.input.count - before) / channelCount)
    switch status {
    case .ready:
      try strand.run()
      return true
    case .pending:
      return isFinishing ? try end() : false
    case .ended:
      return try end()
    }
  }

  private func end() throws(AudioError) -> Bool {
    life.stop()
    try strand.end()
    return true
  }
}
