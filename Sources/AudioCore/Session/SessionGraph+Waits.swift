// SPDX-License-Identifier: Apache-2.0
// The delays of streams, and the sums that wait for them. They change when an editing observer comes or goes. Session
// thread only.
extension SessionGraph {
  /// Settles the delay of each stream, the wait of every sum for its slowest stream, and the lead of the others.
  ///
  /// An open sum waits for its initial streams. A stream that joins enters later by its own delay, and the others go on
  /// unchanged.
  func settleWaits() {
    guard isLive else { return }
    // The delay of the streams into or out of a sum since their sources.
    var waits: [ObservationPosition: Duration] = [:]
    for line in RoutingRow.all {
      if let pace = pace(line.position) {
        let wait = waits[line.position] ?? .zero
        if !pace.isOpen || !hasSettled { pace.settle(wait: wait) }
        pace.mixer.settleSlack(wait, beside: pace.playedBeside)
        waits[line.position] = pace.lag
      }
      for stream in streams where stream.route.observation.position == line.position {
        guard let sum = line.sum, let input = stream.input, let taker = stream.takerOfSum else {
          continue
        }
        // A stream that follows a device's clock has its delay already; a stream without a clock is ahead.
        guard taker.following == nil, isPaced(stream) else { continue }
        let heldBack = heldBack(stream, to: taker, waits)
        input.heldBack = heldBack.samples(at: taker.format.sampleRate)
        waits[sum] = max(waits[sum] ?? .zero, heldBack)
      }
    }
    hasSettled = true
  }

  /// Limits the reading of files and of programs that send ahead to the time of an open session. So their observers have
  /// the promised time for edits, and no observer sees samples that are cut off at the end.
  func settleCeilings(at now: MonotonicTime) {
    guard isOpen, let pace = pace(.playback) else { return }
    let present = pace.present(at: now)
    for stream in streams {
      guard let sourceReader = stream.sourceReader, let taker = stream.takerOfSum,
        let lead = sourceReader.lead
      else {
        continue
      }
      let rates = ResamplingRatio(
        from: taker.format.sampleRate, to: sourceReader.format.sampleRate)
      // The sum of the remote sources waits for no stream.
      let isLocal = sourceReader.id == .local
      let ahead = isLocal ? 0 : (stream.input?.heldBack ?? 0) - taker.offset
      let due = present + ahead + lead.samples(at: taker.format.sampleRate)
      sourceReader.ceiling = rates.outputLength(of: max(0, due))
    }
  }

  /// Returns the longest delay from the sources of `stream` to its sum.
  private func heldBack(
    _ stream: RunningStream<Sample>, to taker: SessionPlan.Taker,
    _ waits: [ObservationPosition: Duration]
  ) -> Duration {
    let before: Duration =
      if case .sum(let position) = stream.route.origin { waits[position] ?? .zero } else { .zero }
    return before + stream.observers.heldBack
      + filters.quality.delay(
        from: stream.observers.format.sampleRate, to: taker.format.sampleRate)
  }

  /// Whether the stream keeps the pace of time: a live source feeds it, or the session is open. The others are ahead.
  private func isPaced(_ stream: RunningStream<Sample>) -> Bool {
    if isOpen { return true }
    if let sourceReader = stream.sourceReader { return sourceReader.isLive }
    let position = stream.route.observation.position
    return streams.contains { feeding in
      feeding.takerOfSum?.destination.isSum(at: position) ?? false && isPaced(feeding)
    }
  }
}
