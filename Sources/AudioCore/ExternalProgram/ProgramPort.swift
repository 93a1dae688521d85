/// The samples between the session and a running program: encodes on the way there, decodes on the way
/// back, counts both. Session thread only.
final class ProgramPort<Sample: AudioSample> {
  let program: ExternalProgram
  let format: StreamFormat
  let mode: ObserverMode
  let connection: ProgramConnection
  /// What the program gave back and nobody has taken yet.
  let answers = SampleQueue<Sample>()
  /// What came of it so far.
  var statistics = ExternalProgramStatistics()

  private var quantiser: Quantiser
  private var bytesPerFrame: Int { quantiser.layout.bytesPerSample * format.channelCount }

  /// Starts the program.
  ///
  /// - Parameter backlog: samples per channel that may wait for the program outside its pipe.
  init(
    _ program: ExternalProgram, at identity: StreamIdentity, _ shape: FrameShape,
    _ mode: ObserverMode,
    backlog: Int
  ) throws(AudioError) {
    self.program = program
    self.mode = mode
    format = shape.format
    quantiser = Quantiser(layout: program.layout)
    connection = try ProgramConnection(
      program, environment: identity.environment(program, shape), mode: mode,
      backlog: backlog * program.layout.bytesPerSample * shape.format.channelCount)
  }

  var child: ChildProcess { connection.child }

  /// How many samples per channel the program may give before it was handed as many, or after the end:
  /// enough to tell what it did, too little for a flood.
  var allowance: Int64 { Int64(PipeEnd.capacity / bytesPerFrame) }

  /// Whether the program gave back more than any filter can be forgiven.
  var isFlooding: Bool {
    mode == .readWrite && statistics.samplesOut > statistics.samplesIn + allowance
  }

  /// Bytes at the end of the program's output that are no whole sample of every channel.
  var strayBytes: Int { connection.fromProgram.count }

  /// Hands on as many of the oldest samples of `queue` as can wait for the program, and takes them off.
  func send(_ queue: SampleQueue<Sample>) {
    let waiting = connection.toProgram
    let channelCount = format.channelCount
    let count = min(queue.count / channelCount, waiting.free / bytesPerFrame)
    guard count > 0 else { return }
    waiting.append(exactly: count * bytesPerFrame) { bytes in
      quantiser.encode(queue.readable.extracting(first: count * channelCount), into: &bytes)
    }
    queue.consume(count * channelCount)
    statistics.samplesIn += Int64(count)
    statistics.clipped = quantiser.clippedSamples
  }

  /// Moves what can be moved without waiting, once in each direction.
  ///
  /// - Returns: whether anything moved.
  func exchange() throws(AudioError) -> Bool {
    let hasMoved = try connection.exchange()
    let bytes = connection.fromProgram
    let count = bytes.count / bytesPerFrame
    if count > 0 {
      answers.append(atMost: count * format.channelCount) { output in
        Sample.decode(bytes.readable(count * bytesPerFrame), as: program.layout, into: &output)
      }
      bytes.consume(count * bytesPerFrame)
      statistics.samplesOut += Int64(count)
    }
    return hasMoved
  }
}

extension StreamIdentity {
  /// What a program is told about the stream; a variable without a value is not set.
  fileprivate func environment(
    _ program: ExternalProgram, _ shape: FrameShape
  ) -> [String: String?] {
    [
      "RAWAUDIO_RATE": "\(shape.format.sampleRate)",
      "RAWAUDIO_CHANNELS": "\(shape.format.channelCount)",
      "RAWAUDIO_ENCODING": program.layout.encoding.rawValue,
      "RAWAUDIO_SAMPLES_PER_CALL": "\(shape.samplesPerCall)",
      "RAWAUDIO_POSITION": position.rawValue,
      "RAWAUDIO_SOURCE": source?.description,
    ]
  }
}
