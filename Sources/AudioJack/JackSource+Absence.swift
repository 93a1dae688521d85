// SPDX-License-Identifier: Apache-2.0
// The absence of a server that is to come back.
extension JackSource {
  func beginAbsence(of stream: CaptureStream, _ loss: AudioError) {
    absence = AbsenceClock(
      since: stream.link.lastCycleTime(), at: given,
      sampleRate: parameters?.format.sampleRate ?? 1, now: .now, after: lastAbsence)
    leave()
    wakeup.setCanWake(false)
    close()
    past.losses += 1
    onAbsence?(.began(loss, position: given))
  }

  /// Gives silence while the server is away, and searches for it now and then.
  ///
  /// - Returns: nil if the server is back.
  func wait<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus? {
    guard var absence, let parameters else { return nil }
    var now = MonotonicTime.now
    if let stream, stream.link.ring.filled() > 0 {
      finish(absence, at: absence.length(at: begun), isBack: true)
      return nil
    }
    if let end, let stream {
      // A failure is that of a full client, which it was not before.
      try? begin(end, stream)
      // Silence reaches up to the first sample; the start tells that place.
      now = min(now, begun)
      if end.client.events.lossReason != nil {
        leave()
        close()
      }
    } else if absence.isToTry(at: now) {
      look(for: parameters, &absence)
    }
    // Shorter runs of silence would only cost processor time.
    let due = absence.due(at: now)
    let least = Int64(parameters.format.sampleRate / 10)
    let channelCount = parameters.format.channelCount
    let count = min(due, Int64(output.freeCapacity / channelCount))
    if due >= least, count > 0 {
      output.append(repeating: 0, count: Int(count) * channelCount)
      absence.fill(count)
      given += count
    }
    self.absence = absence
    return due >= least && count > 0 ? .ready : .pending
  }

  /// Opens and starts the client with its earlier parameters, if a server runs.
  private func look(for before: DeviceParameters, _ absence: inout AbsenceClock) {
    var options = options
    options.ratePolicy = .fail
    options.sampleRate = before.format.sampleRate
    options.channelCount = before.format.channelCount
    do throws(AudioError) {
      _ = try open(options)
      try start()
    } catch {
      close()
      let isAway = error.kind == .unavailable
      onAbsence?(!isAway && absence.isToTell(error) ? .unusable(error) : .lasts)
    }
  }

  /// Ends the absence: the server is back, or the capture was stopped.
  ///
  /// - Parameter length: the length of the absence, in samples per channel.
  func finish(_ absence: AbsenceClock, at length: Int64, isBack: Bool) {
    let gap = DeviceGap(
      cause: .deviceLost, position: absence.position, lostSamples: length,
      uncertainty: Int64(parameters?.periodSize ?? 0) + 1)
    silence = length - absence.filled
    base = absence.position + length
    taken = 0
    self.absence = nil
    wakeup.setCanWake(true)
    lastAbsence = (absence.pause, .now)
    gaps.append(gap)
    onGap?(gap)
    onAbsence?(.ended(gap, isBack: isBack))
  }
}
