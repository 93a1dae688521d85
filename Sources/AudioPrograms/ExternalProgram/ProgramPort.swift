// SPDX-License-Identifier: Apache-2.0
/// The samples between the session and a running program: encodes them, decodes the answers, counts both. Session
/// thread only.
final class ProgramPort<Sample: AudioSample> {
  let program: ExternalProgram
  let format: StreamFormat
  let mode: ObserverMode
  let connection: ProgramConnection
  /// The program's samples that were not taken yet.
  let answers = SampleQueue<Sample>()
  var statistics = ExternalProgramStatistics()

  private let silence = SampleQueue<Sample>()
  private var quantiser: Quantiser
  private var bytesPerFrame: Int { quantiser.layout.bytesPerSample * format.channelCount }

  /// Starts the program.
  ///
  /// - Parameter backlog: the most samples per channel that wait for the program outside its pipe.
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
  var changesLength: Bool { program.changesLength }

  /// Samples per channel that the program may give too early or after the end: enough to identify its fault, too few
  /// for a flood.
  var allowance: Int64 { Int64(PipeEnd.capacity / bytesPerFrame) }

  /// Whether the program gave back too many samples for any filter.
  var isFlooding: Bool {
    mode == .readWrite && !changesLength && statistics.samplesOut > statistics.samplesIn + allowance
  }

  /// Bytes at the end of the program's output that are no whole sample frame.
  var strayBytes: Int { connection.fromProgram.count }

  /// Sends as many of the oldest samples of `queue` as fit, and removes them.
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
    statistics.clippedSamples = quantiser.clippedSamples
    statistics.notANumberSamples = quantiser.notANumberSamples
  }

  /// Sends as much silence as fits, and counts it; a generator may leave it unread.
  ///
  /// - Parameter owed: samples per channel of the stream for which the program got no silence yet; reduced.
  func sendSilence(_ owed: inout Int64) {
    let block = BlockSize.samplesPerChannel(format)
    while owed > 0, !connection.isInputRefused {
      if silence.isEmpty {
        silence.appendSilence(Int(min(owed, Int64(block))) * format.channelCount)
      }
      let before = statistics.samplesIn
      send(silence)
      guard statistics.samplesIn > before else { break }
      owed -= statistics.samplesIn - before
    }
    silence.removeAll()
  }

  /// Moves bytes without waiting, once in each direction.
  ///
  /// - Parameter isReading: whether the program's output is wanted now.
  /// - Returns: whether anything moved.
  func exchange(isReading: Bool = true) throws(AudioError) -> Bool {
    let hasMoved = try connection.exchange(isReading: isReading)
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
  /// The stream's description for a program; a variable without a value is unset.
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
      "RAWAUDIO_GROUP": group?.description,
    ]
  }
}

extension ProgramPort {
  /// The progress of a program when a fault is found.
  enum Stage {
    /// There was more to take or to give: any ending is too early.
    case midway
    /// It had everything: only a failure explains the fault.
    case atEnd
  }

  /// Asks the program to end and returns the error: its exit status explains it if the program ended by itself.
  func fail(_ fault: ProgramFault, _ stage: Stage) -> AudioError {
    connection.close()
    let ending = child.wait(ChildProcess.patience)
    child.beginTermination()
    return error(fault, stage, ending)
  }

  /// The error of a fault; `ending` is the exit status of a program that ended by itself.
  func error(_ fault: ProgramFault, _ stage: Stage, _ ending: ChildEnding?) -> AudioError {
    guard let ending, stage == .midway || !ending.isSuccess else { return error(fault) }
    return error(.ended(ending))
  }

  /// Asks a stalled program to end.
  func failStalled(_ fault: ProgramFault) -> AudioError {
    connection.close()
    child.beginTermination()
    return error(fault)
  }

  /// The error of a program whose session was abandoned.
  var abandoned: AudioError {
    AudioError(.interrupted, cannot: "run", program.command, because: "the session was abandoned")
  }

  /// The fault in the counts of a program whose output has ended.
  var miscount: ProgramFault? {
    mode == .readWrite
      && (statistics.samplesOut != statistics.samplesIn && !changesLength || strayBytes > 0)
      ? .miscounted(strayBytes: strayBytes) : nil
  }
}

enum ProgramFault {
  case ended(ChildEnding)
  case closedInput
  case closedOutput
  /// It gave back more or fewer samples than it got.
  case miscounted(strayBytes: Int)
  case flooded
  /// It gave fewer samples than the stream has.
  case fellShort(strayBytes: Int)
  case stalled(Duration)
  case neverEnded(Duration)

  /// Whether a plug-in host, which keeps the counts itself, makes this fault only if the plug-in ends its process.
  var isOfCounts: Bool {
    switch self {
    case .closedInput, .closedOutput, .miscounted, .flooded, .fellShort: true
    case .ended(let ending): ending.isSuccess
    case .stalled, .neverEnded: false
    }
  }
}

extension ProgramPort {
  func error(_ fault: ProgramFault) -> AudioError {
    if case .program(_, _, let reports) = program.launch,
      let reason = reports.failure(of: program.command)
    {
      return reason
    }
    let command = program.command.split(whereSeparator: \.isNewline).joined(separator: " ")
    let given = statistics.samplesIn
    let back = statistics.samplesOut
    let counts =
      switch mode {
      case .readOnly: "\(given) samples per channel in"
      case .readWrite: "\(given) samples per channel in, \(back) out"
      case .writeOnly: "\(back) samples per channel out"
      }
    if program.isDispensable, fault.isOfCounts {
      return AudioError(
        .unsupported, cannot: "run", command,
        because: "it ended the process that it lives in (\(counts))")
    }
    var kind = AudioError.Kind.inputOutput
    var advice: String?
    let reason: String
    switch fault {
    case .ended(.exited(127)) where back == 0:
      kind = .notFound
      reason = "no such program"
      advice = "check its name and PATH"
    case .ended(.exited(126)) where back == 0:
      kind = .unavailable
      reason = "it is not an executable program"
    case .ended(let ending):
      reason = "\(ending) (\(counts))"
      // The program ended early: this shows here or in the counts, depending on timing.
      if ending.isSuccess, mode == .readWrite { advice = Self.equalCounts }
    case .closedInput: reason = "it closed its input too early (\(counts))"
    case .closedOutput: reason = "it closed its output too early (\(counts))"
    case .miscounted(let strayBytes):
      reason = "it gave \(amount(back, strayBytes)) for \(given)"
      advice = Self.equalCounts
    case .flooded:
      reason = "it gave more than \(back) samples per channel for \(given)"
      advice = Self.equalCounts
    case .fellShort(let strayBytes):
      reason = "it gave only \(amount(back, strayBytes)), fewer than the stream has"
    case .stalled(let time):
      reason = "neither its input nor its output moved for \(time) (\(counts))"
      advice = "give it a longer timeout if it needs one"
    case .neverEnded(let time):
      reason = "it did not end within \(time) of the end of its input (\(counts))"
      advice = "give it a longer timeout if it needs one"
    }
    return AudioError(kind, cannot: "run", command, because: reason, advice: advice)
  }

  private static var equalCounts: String {
    "a read-write program must give back as many samples as it is given; one that changes the length is asked"
      + " for by length=free"
  }

  private func amount(_ samples: Int64, _ strayBytes: Int) -> String {
    let rest = strayBytes == 0 ? "" : " and \(strayBytes) byte\(strayBytes == 1 ? "" : "s")"
    return "\(samples) samples per channel\(rest)"
  }
}
