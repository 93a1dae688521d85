// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Drops stretches of a stream that another thread names, and passes everything else on to another sink.
///
/// Writing thread only.
package final class SkippingSink: WrappingSink {
  /// The stretches to drop. Any thread; each end is named before the samples there are written.
  package final class Stretches: Sendable {
    struct Stretch {
      var begin: Int64
      /// nil until the end is named.
      var end: Int64?
      var sampleRate: Int
    }

    private let list = Mutex<[Stretch]>([])

    package init() {}

    /// Begins a stretch to drop, in samples per channel at `sampleRate`.
    package func begin(at position: Int64, _ sampleRate: Int) {
      list.withLock { $0.append(Stretch(begin: position, sampleRate: sampleRate)) }
    }

    /// Ends the stretch before this position.
    package func end(at position: Int64) {
      list.withLock { list in
        guard let last = list.indices.last, list[last].end == nil else { return }
        list[last].end = position
      }
    }

    /// The first stretch, at the rate of the written samples.
    fileprivate func first(at rate: Int) -> (begin: Int64, end: Int64)? {
      guard let first = list.withLock({ $0.first }) else { return nil }
      func place(_ position: Int64) -> Int64 {
        AudioTime.nearest(position, from: first.sampleRate, to: rate)
      }
      return (place(first.begin), first.end.map(place) ?? .max)
    }

    fileprivate func removeFirst() { list.withLock { _ = $0.removeFirst() } }
  }

  package let sink: any AudioSink
  private let stretches: Stretches
  private let onBreak: () throws(AudioError) -> Void
  private var format: StreamFormat?
  /// The position of the next sample in the stream.
  private var position: Int64 = 0
  private var isLeavingOut = false

  /// - Parameters:
  ///   - sink: takes everything else and is told the position after each stretch.
  ///   - stretches: dropped.
  ///   - onBreak: called at the start of a stretch, on the writing thread.
  package init(
    _ sink: any AudioSink, _ stretches: Stretches, onBreak: @escaping () throws(AudioError) -> Void
  ) {
    self.sink = sink
    self.stretches = stretches
    self.onBreak = onBreak
  }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    return format
  }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let format else { return .accepted }
    let channelCount = format.channelCount
    let end = position + Int64(samples.count / channelCount)
    var done = 0
    while position < end {
      let stretch = stretches.first(at: format.sampleRate)
      let next: Int64
      if let stretch, stretch.begin <= position {
        if !isLeavingOut { try onBreak() }
        isLeavingOut = true
        next = max(position, min(end, stretch.end))
        if next == stretch.end || stretch.end < position {
          stretches.removeFirst()
          isLeavingOut = false
          try sink.receive(.leftOut(upTo: next))
        }
      } else {
        next = min(end, stretch?.begin ?? end)
        let count = Int(next - position) * channelCount
        let status = try sink.write(samples.extracting(done..<done + count))
        if status == .readerGone { return status }
      }
      done += Int(next - position) * channelCount
      position = next
    }
    if let stretch = stretches.first(at: format.sampleRate), stretch.begin <= position,
      !isLeavingOut
    {
      // The time of the next samples is unknown.
      try onBreak()
      isLeavingOut = true
    }
    return .accepted
  }

  package func appendSilence(_ length: Int64) -> Bool { false }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    // A stretch may end within the next block, so its wait must be known.
    if case .waited = notice { return try sink.receive(notice) }
    if case .leftOut(upTo: let position) = notice { self.position = position }
    if !isLeavingOut { try sink.receive(notice) }
  }
}
