// SPDX-License-Identifier: Apache-2.0
// The absence of a server that is to come back.
extension JackSource {
  func beginAbsence(of stream: CaptureStream, _ loss: AudioError) {
    captured.beginAbsence(
      since: stream.link.lastCycleTime(), sampleRate: parameters?.format.sampleRate ?? 1)
    leave()
    // The silence of the absence has begun the recording.
    waitsForConnection = false
    wakeup.setCanWake(false)
    close()
    past.losses += 1
    onAbsence?(.began(loss, position: captured.given))
  }

  /// Gives silence while the server is away, and searches for it now and then.
  ///
  /// - Returns: nil if the server is back.
  func wait<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus? {
    guard let parameters else { return nil }
    var now = MonotonicTime.now
    if let stream, stream.link.ring.filled() > 0 {
      endAbsence(at: begun)
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
    } else if captured.isToTry(at: now) {
      look(for: parameters)
    }
    return captured.fillAbsence(until: now, format: parameters.format, into: &output)
  }

  /// Opens and starts the client with its earlier parameters, if a server runs.
  private func look(for before: DeviceParameters) {
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
      onAbsence?(!isAway && captured.isToTell(error) ? .unusable(error) : .lasts)
    }
  }

  /// - Parameter start: when the first sample of the server that is back was captured; nil if the capture was stopped.
  func endAbsence(at start: MonotonicTime?) {
    let uncertainty = Int64(parameters?.periodSize ?? 0) + 1
    guard let gap = captured.endAbsence(at: start, uncertainty: uncertainty) else { return }
    wakeup.setCanWake(true)
    onGap?(gap)
    onAbsence?(.ended(gap, isBack: start != nil))
  }
}
