// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Any program as a stage of the stream: it gets raw samples on its standard input and returns samples on its
/// standard output.
///
/// The mode defines its role. Read-only: a tap, whose output is discarded. Read-write: a filter, which gives back
/// exactly as many samples as it gets, with any delay. Write-only: a generator, whose output replaces the stream. A
/// generator gets silence of the length and at the pace of the stream, which it may leave unread. It may write more
/// than the stream's length; then its output is closed.
///
/// One process runs for each stream: before mixing, one for each source. It gets the environment variables
/// `RAWAUDIO_RATE`, `RAWAUDIO_CHANNELS`, `RAWAUDIO_ENCODING`, `RAWAUDIO_SAMPLES_PER_CALL`, `RAWAUDIO_POSITION`, and
/// `RAWAUDIO_SOURCE` if the stream has one source, and `RAWAUDIO_GROUP` if that source has a group. Its standard
/// error is the caller's. It leads a process group of its own: an interrupt key in the terminal reaches only the
/// session, which then ends the program's input and takes its remaining output.
///
/// The calling program must ignore SIGPIPE; the started program gets the default action back. A description may be
/// used on any thread, and in one session at a time. Unregistering it during the run has no effect, for the samples
/// in the program could not be recovered; before the run it leaves the program out.
public final class ExternalProgram: AudioObserver, Sendable {
  /// The command for `/bin/sh -c`.
  public let command: String
  /// The layout of samples in both pipes.
  public let layout: SampleLayout
  /// The delay of a live stream that waits for the program, in samples per channel at the program's rate; nil means
  /// one second. If the output is later, the original passes.
  public let latency: Int?
  /// The longest time, offline and at the end, in which the program may neither take nor give anything.
  public let timeout: Duration
  /// The positions at which it runs.
  public let positions: ObservationPositions
  /// The shape of the stream for the program; the mode is read-write unless set. The samples per call only reach the
  /// environment: pipes know no frames.
  public let parameters: FrameParameters

  /// Whether it may give back more or fewer samples than it gets; only offline.
  public let changesLength: Bool
  let launch: ProgramLaunch
  /// Whether a live stream continues unchanged if the program fails; else the session ends.
  let isDispensable: Bool

  private let record = Mutex([ObservationPosition: ExternalProgramStatistics]())
  private let misfortune = Mutex<AudioError?>(nil)

  /// The latencies that a live stream may have, in samples per channel: up to 87 s at 768 kHz.
  public static let latencies = 0...67_108_864

  /// - Parameter changesLength: whether the program may give back more or fewer samples than it gets: its output then
  ///   sets the length of the stream. Marks and other positions in the sound are dropped. A live session with such a
  ///   program fails before it begins, for it cannot wait.
  /// - Throws: `invalidParameter` if `latency` is outside ``latencies`` or `timeout` is not positive.
  public convenience init(
    _ positions: ObservationPositions, _ command: String, layout: SampleLayout = SampleLayout(.f32),
    latency: Int? = nil,
    timeout: Duration = .seconds(10), changesLength: Bool = false,
    parameters: FrameParameters = .readWrite
  ) throws(AudioError) {
    try Self.check(latency, timeout)
    self.init(
      positions, named: command, .shell(command), isDispensable: false, layout: layout,
      latency: latency, timeout: timeout, changesLength: changesLength, parameters: parameters)
  }

  static func check(_ latency: Int?, _ timeout: Duration) throws(AudioError) {
    if let latency, !latencies.contains(latency) {
      throw AudioError(
        .invalidParameter, cannot: "use latency", "\(latency)",
        because: "it must be 0 to \(latencies.upperBound) samples per channel")
    }
    guard timeout > .zero else {
      throw AudioError(
        .invalidParameter, cannot: "use timeout", "\(timeout)", because: "it must be more than 0")
    }
  }

  /// A program. If it runs for a plug-in, its errors name the plug-in.
  ///
  /// - Parameter name: of the plug-in, or the command.
  init(
    _ positions: ObservationPositions, named name: String, _ launch: ProgramLaunch,
    isDispensable: Bool = true, layout: SampleLayout = SampleLayout(.f32), latency: Int?,
    timeout: Duration, changesLength: Bool = false, parameters: FrameParameters
  ) {
    command = name
    self.launch = launch
    self.isDispensable = isDispensable
    self.layout = layout
    self.latency = latency
    self.timeout = timeout
    self.changesLength = changesLength
    self.positions = positions
    self.parameters = parameters
  }

  /// The error after which a live stream continued without the program; nil if there was none.
  var failure: AudioError? { misfortune.withLock { $0 } }

  /// Keeps the first error after which a live stream continues without the program.
  func note(_ error: AudioError) { misfortune.withLock { $0 = $0 ?? error } }

  /// The counts so far by position, summed over all sources.
  public var statistics: [ObservationPosition: ExternalProgramStatistics] {
    record.withLock { $0 }
  }

  func count(
    _ new: ExternalProgramStatistics, since old: ExternalProgramStatistics,
    at position: ObservationPosition
  ) {
    record.withLock { $0[position, default: ExternalProgramStatistics()].add(new, since: old) }
  }
}

enum ProgramLaunch: Sendable {
  case shell(String)
  /// Without a shell; `reports` holds its standard error.
  case program(String, [String], reports: ProgramReports)
}

extension ExternalProgram: StageObserver {
  public func parameters(at position: ObservationPosition) -> FrameParameters {
    parameters.completed(by: .readWrite)
  }

  package func holdBack(_ shape: FrameShape) -> Int { latency ?? shape.format.sampleRate }

  package func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata {
    changesLength ? metadata.withoutPositions(because: "a program changes the length") : metadata
  }

  package func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    try ExternalProgramStage(
      program: self, identity: setting.stream.identity, shape: setting.shape, mode: setting.mode,
      inputFormat: setting.inputFormat, inputLayout: setting.inputLayout,
      start: setting.firstPosition,
      quality: setting.filters.quality, isLive: setting.stream.isLive,
      wakeup: setting.stream.control.wakeup)
  }
}

/// The samples to and from an external program at one position.
///
/// All but ``clippedSamples`` and ``notANumberSamples`` in samples per channel at the program's rate.
public struct ExternalProgramStatistics: Sendable, Hashable {
  /// Samples sent to the program; silence if it is write-only.
  public var samplesIn: Int64 = 0
  /// Samples given back by the program.
  public var samplesOut: Int64 = 0
  /// Samples that passed unchanged because the program's were later than its latency or missing; live only. In
  /// write-only mode silence replaces them.
  public var late: Int64 = 0
  /// Samples given back by the program but unused: too late, or beyond the length of the stream.
  public var discarded: Int64 = 0
  /// Samples never sent to the program, because it did not take its input in time; live only, and without silence.
  public var skipped: Int64 = 0
  /// Samples of any channel that did not fit the encoding for the program.
  public var clippedSamples = 0
  /// NaN samples of any channel for the program.
  public var notANumberSamples = 0

  mutating func add(_ new: Self, since old: Self) {
    samplesIn += new.samplesIn - old.samplesIn
    samplesOut += new.samplesOut - old.samplesOut
    late += new.late - old.late
    discarded += new.discarded - old.discarded
    skipped += new.skipped - old.skipped
    clippedSamples += new.clippedSamples - old.clippedSamples
    notANumberSamples += new.notANumberSamples - old.notANumberSamples
  }
}
