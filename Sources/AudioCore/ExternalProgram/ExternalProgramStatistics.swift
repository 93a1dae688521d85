/// What went to and came from an external program at one position.
///
/// All but ``clipped`` in samples per channel at the program's rate.
public struct ExternalProgramStatistics: Sendable, Hashable {
  /// Handed to the program.
  public var samplesIn: Int64 = 0
  /// Given back by the program.
  public var samplesOut: Int64 = 0
  /// Went on as they were, because the program's own came later than its latency, or not at all; live
  /// only. In write-only mode silence goes on instead.
  public var late: Int64 = 0
  /// Given back by the program and not used: too late, or more than the stream is long.
  public var discarded: Int64 = 0
  /// Never handed to the program, because it did not take its input in time; live only.
  public var skipped: Int64 = 0
  /// Samples of any channel that did not fit the encoding on the way to the program.
  public var clipped = 0

  mutating func add(_ new: Self, since old: Self) {
    samplesIn += new.samplesIn - old.samplesIn
    samplesOut += new.samplesOut - old.samplesOut
    late += new.late - old.late
    discarded += new.discarded - old.discarded
    skipped += new.skipped - old.skipped
    clipped += new.clipped - old.clipped
  }
}
