// SPDX-License-Identifier: Apache-2.0
/// The account of a plug-in at one position.
///
/// All but ``notNumbers`` in samples per channel at the plug-in's rate.
public struct PluginStatistics: Sendable, Equatable {
  /// Handed to the plug-in.
  public var samplesIn: Int64 = 0
  /// Given back by it.
  public var samplesOut: Int64 = 0
  /// Went on as they were, because the plug-in's own came too late; live only.
  public var late: Int64 = 0
  /// Never handed to the plug-in, because it did not take its input in time; live only.
  public var skipped: Int64 = 0
  /// Samples of any channel that the plug-in gave and that were not numbers: silence stands in their places.
  public var notNumbers: Int64 = 0
  /// The latency that the plug-in told last; known when its stream has ended.
  public var latency = 0
  /// How often the plug-in told another latency while it ran.
  public var latencyChanges = 0
  /// The first of these changes; nil if there was none.
  public var firstChange: LatencyChange?
  /// Why a live stream went on without the plug-in; nil if it did not.
  public var failure: AudioError?

  /// Another latency while the plug-in ran.
  public struct LatencyChange: Sendable, Hashable {
    public var before: Int
    public var after: Int
    /// Where in the stream the plug-in told it, to the block.
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
        notNumbers += Int64(line["notNumbers"]?.int ?? 0)
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
