/// What happened at a push source so far. Every count of samples is in samples per channel.
public struct PushStatistics: Sendable, Hashable {
  /// Taken from the program, at the rates it stated.
  public var samplesTaken: Int64 = 0
  /// Times a piece began after the end of the one before.
  public var gaps = 0
  /// Silence that filled these gaps, at the stream's rate, each rounded up.
  public var samplesFilled: Int64 = 0
  /// Refused by ``PushSender/send(_:rate:at:)-(Span<Sample>,_,_)`` because the ring was full; sent again, they count again.
  public var samplesRefused: Int64 = 0
  /// Refused because the piece began before the end of what was sent.
  public var samplesLate: Int64 = 0
  /// Times the session had read everything and the program had sent no more.
  public var underruns = 0
}
