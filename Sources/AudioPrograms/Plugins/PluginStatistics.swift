// SPDX-License-Identifier: Apache-2.0
/// The account of a plug-in at one position.
///
/// All but ``notNumbers`` in samples per channel at the plug-in's rate.
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
  public var notNumbers: Int64 = 0
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
