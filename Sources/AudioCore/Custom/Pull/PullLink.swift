// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The shared part of a pull sink's two ends: samples, the end of the stream, and counts.
final class PullLink: Sendable {
  let samples: SampleLink
  /// Wakes a waiting reading thread for new samples or the end.
  let progress = ProgressSignal()
  /// Wakes the session thread when there is room; nil if the session does not wait for it.
  private let wakeup: Wakeup?
  private let isOver = Atomic(false)
  private let isAbandoned = Atomic(false)

  private let taken = RunningCount()
  private let dropped = RunningCount()
  private let underruns = RunningCount()
  private let filled = RunningCount()

  init(format: StreamFormat, precision: SamplePrecision, capacity: Int, wakeup: Wakeup?) {
    samples = SampleLink(format: format, precision: precision, capacity: capacity)
    self.wakeup = wakeup
  }

  var statistics: PullStatistics {
    PullStatistics(
      readSamplesPerChannel: taken.total, underruns: Int(underruns.total),
      filledSamplesPerChannel: filled.total,
      droppedSamplesPerChannel: dropped.total)
  }

  /// Whether more samples can come. A thread that sees the end also sees all samples before it.
  var state: PullRead.State {
    guard isOver.load(ordering: .acquiring) else { return .running }
    return isAbandoned.load(ordering: .relaxed) ? .abandoned : .ended
  }

  /// Takes the samples that fit and drops the rest. Session thread only.
  ///
  /// - Returns: whether no sample was dropped.
  func write<Sample: FrameSample>(_ piece: Span<Sample>) -> Bool {
    let missing = piece.count - samples.write(piece)
    if missing > 0 {
      dropped.add(Int64(missing / samples.format.channelCount))
    }
    progress.notify()
    return missing == 0
  }

  /// Ends the stream; only the first call counts. Session thread only.
  func end(_ reason: StopReason) {
    if isOver.load(ordering: .relaxed) { return }
    isAbandoned.store(reason == .abandoned, ordering: .relaxed)
    isOver.store(true, ordering: .releasing)
    progress.notify()
  }

  /// Appends the available samples. Reading thread only.
  ///
  /// - Returns: samples per channel.
  func read<Sample: FrameSample>(into output: inout OutputSpan<Sample>) -> Int {
    let count = samples.read(atMost: Int.max, into: &output)
    if count > 0 {
      taken.add(Int64(count))
      wakeup?.signal()
    }
    return count
  }

  /// Counts silence read in place of samples, once the stream has begun. Reading thread only.
  func countUnderrun(_ samplesPerChannel: Int) {
    if taken.total == 0 { return }
    underruns.add(1)
    filled.add(Int64(samplesPerChannel))
  }
}
