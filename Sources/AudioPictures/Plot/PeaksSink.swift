// SPDX-License-Identifier: Apache-2.0
/// A sink that writes the extremes of its samples, for players that show waveforms.
///
/// They are written continuously: memory does not grow with the length of the audio. The file gets its name when it is
/// complete.
public final class PeaksSink: AudioSink {
  /// May be changed until `initialize`.
  package var destination: FileDestination
  private let peakFormat: PeakFormat
  private var file: OutputFile?
  private var writer: PeakWriter?
  /// The position of the file's first byte on its descriptor.
  private var origin: Int64 = 0

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - format: of the file.
  ///   - overwrite: whether an existing file may be replaced.
  public init(path: String, format: PeakFormat, overwrite: Bool = false) {
    destination = FileDestination(path: path, overwrites: overwrite, isDrawing: true)
    peakFormat = format
  }

  public var precision: SamplePrecision { .single }
  public var room: Int { .max }

  /// - Throws: `invalidParameter` for a length outside ``PeakFormat/lengths``; `unsupported` for a `dat` file on a
  ///   pipe, as its header states its length; `alreadyExists`, `notFound` (the directory) and `unavailable` (a
  ///   directory, no permission) if the file cannot be written.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let peakFormat = peakFormat.settled(at: proposal.sampleRate)
    guard PeakFormat.lengths.contains(peakFormat.samplesPerPixel) else {
      throw AudioError(
        .invalidParameter, cannot: "take peaks of", "\(peakFormat.samplesPerPixel)",
        because:
          "a pair is of \(PeakFormat.lengths.lowerBound) to \(PeakFormat.lengths.upperBound) samples"
      )
    }
    let file = try destination.open(wakeup)
    guard peakFormat.container == .json || file.descriptor.isPatchable else {
      let name = file.descriptor.name
      file.discard()
      throw AudioError(
        .unsupported, cannot: "write dat to", name,
        because: "its first bytes tell its length, and a pipe cannot be gone back in",
        advice: "write JSON, or name a file")
    }
    origin = file.descriptor.position
    self.file = file
    writer = PeakWriter(peakFormat, proposal)
    return proposal
  }

  public func start() throws(AudioError) {
    try file?.begin()
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    writer?.append(samples)
    guard let bytes = writer?.bytes, bytes.count >= FileDescriptor.blockSize else {
      return .accepted
    }
    return try deliver()
  }

  private func deliver() throws(AudioError) -> SinkStatus {
    guard let file, let writer else { return .accepted }
    let status = try file.descriptor.write(writer.bytes)
    self.writer?.forgetBytes()
    return status
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    guard reason == .finished, let file else { return }
    writer?.finish()
    _ = try deliver()
    if peakFormat.container == .dat, let header = writer?.header {
      try file.descriptor.write(header, at: origin)
    }
    try file.commit()
  }

  public func dispose() {
    file?.discard()
    file = nil
    writer = nil
  }
}
