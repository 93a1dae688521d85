// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Any program as a stage of the stream: raw samples go to its standard input, what it writes to its
/// standard output comes back.
///
/// The mode says what it is. Read-only: a tap, whose output is discarded. Read-write: a filter, which
/// gives back exactly as many samples as it is given, as late as it likes. Write-only: a generator,
/// which is given silence of the length and at the pace of the stream, and whose output replaces the stream. It may
/// leave the silence unread, and may write more than the stream is long; it is then told to stop as by a
/// reader that goes away.
///
/// One process runs for each stream: before mixing, one for each source. It gets the environment
/// variables `RAWAUDIO_RATE`, `RAWAUDIO_CHANNELS`, `RAWAUDIO_ENCODING`, `RAWAUDIO_SAMPLES_PER_CALL`,
/// `RAWAUDIO_POSITION`, where the stream has one source `RAWAUDIO_SOURCE`, and where that has a group
/// `RAWAUDIO_GROUP`; its standard error is the caller's. It leads a process group of its own: an interrupt key pressed in the terminal reaches
/// only the session, which then ends the program's input and takes what it still has to give.
///
/// The calling program must ignore SIGPIPE; the started one gets it back. A description may be used on
/// any thread, and in one session at a time. To unregister it while the session runs has no effect, for
/// what the program holds of the stream could not be had back; before the run it leaves the program out.
public final class ExternalProgram: AudioObserver, Sendable {
  /// What `/bin/sh -c` runs.
  public let command: String
  /// How the samples lie in both pipes.
  public let layout: SampleLayout
  /// By how much a live stream is delayed to wait for the program, in samples per channel at the
  /// program's rate; nil = one second. Output that comes later than that is late: the original goes on.
  public let latency: Int?
  /// How long, offline and at the end, the program may neither take nor give anything.
  public let timeout: Duration
  /// The positions at which it runs.
  public let positions: ObservationPositions
  /// The shape of the stream it sees; the mode is read-write unless they say otherwise. The samples per call
  /// only reach its environment: pipes know no frames.
  public let parameters: FrameParameters

  /// Whether it may give back more or fewer samples than it is given; only offline.
  public let changesLength: Bool
  let launch: ProgramLaunch
  /// Whether a live stream goes on as it was if the program fails; else the session ends.
  let isDispensable: Bool

  private let record = Mutex([ObservationPosition: ExternalProgramStatistics]())
  private let misfortune = Mutex<AudioError?>(nil)

  /// The latencies that a live stream may have, in samples per channel: up to 87 s at 768 kHz.
  public static let latencies = 0...67_108_864

  /// - Parameter changesLength: whether the program may give back more or fewer samples than it is given: the stream then
  ///   becomes as long as what it gives. Marks and other places in the sound are dropped. A live session with such a program
  ///   fails before it begins, for it cannot wait.
  /// - Throws: `invalidParameter` where `latency` is outside ``latencies`` or `timeout` is not positive.
  public init(
    _ positions: ObservationPositions, _ command: String, layout: SampleLayout = SampleLayout(.f32),
    latency: Int? = nil,
    timeout: Duration = .seconds(10), changesLength: Bool = false,
    parameters: FrameParameters = .readWrite
  ) throws(AudioError) {
    if let latency, !Self.latencies.contains(latency) {
      throw AudioError(
        .invalidParameter, cannot: "use latency", "\(latency)",
        because: "it must be 0 to \(Self.latencies.upperBound) samples per channel")
    }
    guard timeout > .zero else {
      throw AudioError(
        .invalidParameter, cannot: "use timeout", "\(timeout)", because: "it must be more than 0")
    }
    self.command = command
    launch = .shell(command)
    self.changesLength = changesLength
    isDispensable = false
    self.layout = layout
    self.latency = latency
    self.timeout = timeout
    self.positions = positions
    self.parameters = parameters
  }

  /// A program that stands for something else, which its errors name.
  ///
  /// - Parameter name: of that.
  init(
    _ positions: ObservationPositions, named name: String, _ launch: ProgramLaunch, latency: Int,
    timeout: Duration, parameters: FrameParameters
  ) {
    command = name
    self.launch = launch
    isDispensable = true
    changesLength = false
    layout = SampleLayout(.f32)
    self.latency = latency
    self.timeout = timeout
    self.positions = positions
    self.parameters = parameters
  }

  /// Why a live stream went on without the program; nil if it did not.
  var failure: AudioError? { misfortune.withLock { $0 } }

  /// Keeps the first reason why a live stream goes on without the program.
  func note(_ error: AudioError) { misfortune.withLock { $0 = $0 ?? error } }

  /// What came of it so far, by position; over all sources where there are several.
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

/// How a program is started.
enum ProgramLaunch: Sendable {
  case shell(String)
  /// Without a shell; what it writes on its standard error is told by `reports`.
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
      program: self, identity: setting.identity, shape: setting.shape, mode: setting.mode,
      inputFormat: setting.inputFormat, inputLayout: setting.inputLayout,
      start: setting.firstPosition,
      quality: setting.filters.quality, isLive: setting.isLive,
      wakeup: setting.control.wakeup)
  }
}

/// What went to and came from an external program at one position.
///
/// All but ``clipped`` and ``notNumbers`` in samples per channel at the program's rate.
public struct ExternalProgramStatistics: Sendable, Hashable {
  /// Handed to the program; of one that is write-only, silence.
  public var samplesIn: Int64 = 0
  /// Given back by the program.
  public var samplesOut: Int64 = 0
  /// Went on as they were, because the program's own came later than its latency, or not at all; live
  /// only. In write-only mode silence goes on instead.
  public var late: Int64 = 0
  /// Given back by the program and not used: too late, or more than the stream is long.
  public var discarded: Int64 = 0
  /// Never handed to the program, because it did not take its input in time; live only, and not of silence.
  public var skipped: Int64 = 0
  /// Samples of any channel that did not fit the encoding on the way to the program.
  public var clipped = 0
  /// Samples of any channel, on the way to the program, that were not numbers.
  public var notNumbers = 0

  mutating func add(_ new: Self, since old: Self) {
    samplesIn += new.samplesIn - old.samplesIn
    samplesOut += new.samplesOut - old.samplesOut
    late += new.late - old.late
    discarded += new.discarded - old.discarded
    skipped += new.skipped - old.skipped
    clipped += new.clipped - old.clipped
    notNumbers += new.notNumbers - old.notNumbers
  }
}
