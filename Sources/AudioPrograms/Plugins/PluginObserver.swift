// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// An LV2 or LADSPA plug-in as a stage of the stream, in a process of its own: a crash, hang, print or exit affects
/// only that process.
///
/// **Time does not move.** The plug-in's reported latency is removed, and its remaining samples are drained at the
/// end, so a stream keeps its length. If the latency changes while the plug-in runs, samples follow the new value
/// from the next block on: some are dropped, or silence stands in, and ``statistics`` counts that.
///
/// **Failures.** Offline the session ends with an error that names the plug-in. Live the stream continues unchanged,
/// and ``statistics`` holds the error. NaN samples become silence and are counted.
///
/// One process runs for each stream, with as many instances as its channels need. A plug-in of one channel gets an
/// instance for each channel; one of n channels takes a stream of n; one with one input and n outputs gets the mean
/// of n channels. Otherwise the run fails with an error that names the possible channel counts. The plug-in computes
/// in 32-bit floats, in blocks of equal length, so its output does not depend on the session's blocks.
///
/// The calling program must ignore SIGPIPE. A description may be used on any thread, and in one session at a time.
/// Unregistering it during the run has no effect.
public final class PluginObserver: AudioObserver, Sendable {
  /// The plug-in and its settings.
  public let plugin: PluginReference
  /// The positions at which it runs.
  public let positions: ObservationPositions
  /// The shape of the stream for the plug-in; the mode is read-write unless set.
  public let parameters: FrameParameters
  /// The delay of a live stream besides the plug-in's own latency, in samples per channel; nil means one second.
  public let latency: Int?
  private let host: PluginHostProgram
  private let blockLength: Int
  private let timeout: Duration
  private let runs = Mutex<[Run]>([])

  private struct Run: Sendable {
    let position: ObservationPosition
    let program: ExternalProgram
    let reports: ProgramReports
  }

  /// The block lengths of a plug-in, in samples per channel.
  public static let blockLengths = 16...8_192

  /// - Parameters:
  ///   - plugin: the plug-in and its settings, which are checked when a session starts.
  ///   - host: the program that runs the plug-in.
  ///   - blockLength: a power of two within ``blockLengths``, in samples per channel.
  ///   - latency: see ``latency``.
  ///   - timeout: the longest time, offline and at the end, in which the plug-in may do nothing.
  /// - Throws: `invalidParameter` if the block length, the latency or the timeout is out of range.
  public init(
    _ positions: ObservationPositions, _ plugin: PluginReference,
    host: PluginHostProgram = .installed, blockLength: Int = 1_024,
    latency: Int? = nil, timeout: Duration = .seconds(10),
    parameters: FrameParameters = .readWrite
  ) throws(AudioError) {
    guard Self.blockLengths.contains(blockLength), blockLength & (blockLength - 1) == 0 else {
      throw AudioError(
        .invalidParameter, cannot: "use block length", "\(blockLength)",
        because: "it must be a power of two from 16 to 8192")
    }
    try ExternalProgram.check(latency, timeout)
    self.plugin = plugin
    self.host = host
    self.blockLength = blockLength
    self.latency = latency
    self.timeout = timeout
    self.positions = positions
    self.parameters = parameters
  }

  /// The account so far by position, summed over all sources.
  public var statistics: [ObservationPosition: PluginStatistics] {
    runs.withLock { runs in
      var all: [ObservationPosition: PluginStatistics] = [:]
      for run in runs {
        all[run.position, default: PluginStatistics()].add(
          run.program.statistics[run.position], run.program.failure, run.reports.lines)
      }
      return all
    }
  }
}

extension PluginObserver: StageObserver {
  public func parameters(at position: ObservationPosition) -> FrameParameters {
    parameters.completed(by: .readWrite)
  }

  package func holdBack(_ shape: FrameShape) -> Int {
    // A failure here recurs in `stage`, which throws it.
    let own = (try? plugin.latency(in: shape.format, blockLength, host)) ?? 0
    return min(
      ExternalProgram.latencies.upperBound,
      (latency ?? shape.format.sampleRate) + own + blockLength)
  }

  package func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    let format = setting.shape.format
    _ = try plugin.latency(in: format, blockLength, host)
    let reports = try ProgramReports(of: plugin.name)
    let words = [PluginHostProgram.word] + plugin.words("run", format, blockLength)
    let program = ExternalProgram(
      positions, named: plugin.name, .program(host.path, words, reports: reports),
      latency: holdBack(setting.shape), timeout: timeout,
      parameters: parameters)
    let position = setting.stream.position
    runs.withLock { $0.append(Run(position: position, program: program, reports: reports)) }
    return try program.stage(setting)
  }
}

/// The account of a plug-in at one position.
///
/// All but ``notANumberSamples`` in samples per channel at the plug-in's rate.
public struct PluginStatistics: Sendable, Equatable {
  /// Samples sent to the plug-in.
  public var samplesIn: Int64 = 0
  /// Samples given back by the plug-in.
  public var samplesOut: Int64 = 0
  /// Samples that passed unchanged, because the plug-in's came too late; live only.
  public var late: Int64 = 0
  /// Samples never sent to the plug-in, because it did not take its input in time; live only.
  public var skipped: Int64 = 0
  /// NaN samples of any channel from the plug-in; silence replaces them.
  public var notANumberSamples: Int64 = 0
  /// The last latency that the plug-in reported; known after the end of its stream.
  public var latency = 0
  /// The number of latency changes while it ran.
  public var latencyChanges = 0
  /// The first of these changes; nil if there was none.
  public var firstChange: LatencyChange?
  /// The error after which a live stream continued without the plug-in; nil if there was none.
  public var failure: AudioError?

  /// A change of the latency while the plug-in ran.
  public struct LatencyChange: Sendable, Hashable {
    public var before: Int
    public var after: Int
    /// The place in the stream at which the plug-in reported it, exact to a block.
    public var place: Int64
  }

  mutating func add(
    _ counts: ExternalProgramStatistics?, _ failure: AudioError?, _ reports: [JSONValue]
  ) {
    samplesIn += counts?.samplesIn ?? 0
    samplesOut += counts?.samplesOut ?? 0
    late += counts?.late ?? 0
    skipped += counts?.skipped ?? 0
    self.failure = self.failure ?? failure
    for line in reports {
      switch line["event"]?.text {
      case "end":
        notANumberSamples += Int64(line["notNumbers"]?.int ?? 0)
        latencyChanges += line["changes"]?.int ?? 0
        latency = max(latency, line["latency"]?.int ?? 0)
      case "latency" where firstChange == nil:
        firstChange = LatencyChange(
          before: line["from"]?.int ?? 0, after: line["to"]?.int ?? 0,
          place: Int64(line["at"]?.int ?? 0))
      default: break
      }
    }
  }
}
