// SPDX-License-Identifier: Apache-2.0
// How long streams are held back on their way, and who waits for them. It changes while a session runs: observers that
// edit come and go. Session thread only.
extension SessionGraph {
  /// Settles how long each stream is held back, how long every sum waits for its slowest one, and how far ahead of that
  /// one the others may be.
  ///
  /// An open sum waits for those that were there when it began: whoever joins enters later by as much as it is held
  /// back, and the others go on as they were.
  func settleWaits() {
    guard isLive else { return }
    // What is on its way into a sum, or out of it: the time since it came from its source.
    var waits: [ObservationPosition: Duration] = [:]
    for line in FlowLine.all {
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
        // A stream that follows a device's clock has its delay already; what no clock paces is ahead.
        guard taker.following == nil, isPaced(stream) else { continue }
        let heldBack = heldBack(stream, to: taker, waits)
        input.heldBack = heldBack.samples(at: taker.format.sampleRate)
        waits[sum] = max(waits[sum] ?? .zero, heldBack)
      }
    }
    hasSettled = true
  }

  /// Lets files of an open session be read as its time goes, and no further: those who edit them have the time that
  /// they were promised, and what is cut off at the end was not told to anybody.
  func settleCeilings(at now: MonotonicTime) {
    guard isOpen, let pace = pace(.playback) else { return }
    let present = pace.present(at: now)
    for stream in streams {
      guard let intake = stream.intake, !intake.isLive, let taker = stream.takerOfSum else {
        continue
      }
      let rates = ResamplingRatio(
        from: taker.format.sampleRate, to: intake.format.sampleRate)
      // The sum of the remote ones waits for nobody.
      let isLocal = intake.id == .local
      let ahead = isLocal ? 0 : (stream.input?.heldBack ?? 0) - taker.offset
      intake.ceiling = rates.outputLength(of: max(0, present + ahead))
    }
  }

  /// The longest time from the sources of `stream` to where it enters a sum.
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

  /// Whether it goes as time does: a live source feeds it, or the session is open. The others are ahead.
  private func isPaced(_ stream: RunningStream<Sample>) -> Bool {
    if isOpen { return true }
    if let intake = stream.intake { return intake.isLive }
    let position = stream.route.observation.position
    return streams.contains { feeding in
      feeding.takerOfSum?.destination.isSum(at: position) ?? false && isPaced(feeding)
    }
  }
}
