/// The time from a source's device to a sink's that a session keeps to while it follows the sink's clock,
/// and what it is made of, each in seconds.
///
/// The playing device's buffer stays full and the ring before it never quite empty, so that the device
/// thread is woken by the device and by nothing else: only then does it read the device's clock without
/// an error of up to a period.
public struct FollowingLatency: Sendable, Hashable {
  /// What the capturing device holds back until a period is full.
  public var capturePeriod: Double
  /// What observers that may edit hold back until their frames are full.
  public var observers: Double
  /// What the resampler waits for beyond its own place: half its filter.
  public var resampler: Double
  /// What waits in the ring, for the session thread may be late: twice the longer period, at least 20 ms.
  public var reserve: Double
  /// The playing device's own buffer.
  public var playbackBuffer: Double

  /// From capture to playback.
  public var total: Double {
    capturePeriod + observers + resampler + reserve + playbackBuffer
  }

  init(
    from source: ClockTiming, to sink: ClockTiming, resampler: Double, observers: Double
  ) {
    func seconds(_ count: Int, _ timing: ClockTiming) -> Double {
      Double(count) / Double(timing.sampleRate)
    }
    capturePeriod = seconds(source.periodSize, source)
    self.observers = observers
    self.resampler = resampler
    reserve = max(2 * max(capturePeriod, seconds(sink.periodSize, sink)), 0.02)
    playbackBuffer = seconds(sink.bufferSize, sink)
  }

  /// By how much the delay may be off before it is set right at once: more than the reserve would leave
  /// the ring empty.
  var tolerance: Double { reserve }
}
