// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Leaves stretches of a stream out that another thread names, and hands everything else on to another sink.
///
/// On the thread that writes to it.
package final class LeavingOutSink: WrappingSink {
  /// Which stretches are left out. Any thread; each end is named before the samples there are written.
  package final class Stretches: Sendable {
    struct Stretch {
      var begin: Int64
      /// Nil while nobody knows.
      var end: Int64?
      var sampleRate: Int
    }

    private let list = Mutex<[Stretch]>([])

    package init() {}

    /// Nothing from this position on is wanted, in samples per channel at `sampleRate`.
    package func begin(at position: Int64, _ sampleRate: Int) {
      list.withLock { $0.append(Stretch(begin: position, sampleRate: sampleRate)) }
    }

    /// From this position on everything is wanted again.
    package func end(at position: Int64) {
      list.withLock { list in
        guard let last = list.indices.last, list[last].end == nil else { return }
        list[last].end = position
      }
    }

    /// The first stretch, at the rate of the samples that are written.
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
  /// Where in the stream the next sample stands.
  private var position: Int64 = 0
  private var isLeavingOut = false

  /// - Parameters:
  ///   - sink: takes everything else, and is told where it goes on.
  ///   - stretches: what is left out.
  ///   - onBreak: called where a stretch begins, on the thread that writes.
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
      // Nobody knows when the next sample comes.
      try onBreak()
      isLeavingOut = true
    }
    return .accepted
  }

  package func receive(_ notice: SinkNotice) throws(AudioError) {
    // What is left out may end within what is written next.
    if case .waited = notice { return try sink.receive(notice) }
    if !isLeavingOut { try sink.receive(notice) }
  }
}
