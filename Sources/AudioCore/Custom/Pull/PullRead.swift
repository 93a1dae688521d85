/// What a call of ``PullReader/read(into:)`` came to. Lengths are in samples per channel.
public struct PullRead: Sendable, Hashable {
  /// Whether more can come.
  public enum State: Sendable, Hashable {
    /// More will come.
    case running
    /// The session has delivered everything, and all of it is read.
    case ended
    /// The session failed or was stopped, and what it had delivered is read.
    case abandoned
  }

  /// The session's samples at the beginning of the buffer.
  public var samplesPerChannel: Int
  /// The silence after them, up to the end of the buffer.
  public var silence: Int
  /// Whether more can come after this call.
  public var state: State

  public init(samplesPerChannel: Int, silence: Int, state: State) {
    self.samplesPerChannel = samplesPerChannel
    self.silence = silence
    self.state = state
  }
}

/// What happened at a pull sink so far. Every count of samples is in samples per channel.
public struct PullStatistics: Sendable, Hashable {
  /// Read by the program.
  public var samplesRead: Int64 = 0
  /// Reads that found fewer samples than they had room for, after the first sample and before the end.
  public var underruns = 0
  /// Silence that these reads got instead.
  public var samplesFilled: Int64 = 0
  /// Dropped because the program read too slowly where the session does not wait for it. Never at a
  /// ``PullSink``.
  public var samplesDropped: Int64 = 0
}
