internal import AudioCore

extension SessionOutput {
  /// How much audio may wait for a slow disk, in samples per channel: some seconds.
  private static let backlog = 1 << 18

  /// The sink for a file or standard output: in parts, with a trigger in front and in the background
  /// where that is asked for.
  func recorder(
    _ path: String, _ makeFile: @escaping (String) -> SoundFileSink
  ) throws(AudioError) -> any AudioSink {
    let journal = journal
    var sink: any AudioSink
    if let names = request.recording.names {
      let splitting = SplittingSink(
        names, limits: request.recording.limits, leadIn: request.recording.leadIn,
        control: splitControl, making: makeFile, onPart: journal.record)
      parts = splitting
      sink = splitting
    } else {
      let whole = makeFile(path)
      file = whole
      sink = whole
    }
    sink = triggered(sink)
    guard isRecording else { return sink }
    // A disk that stands still holds up neither the observers nor a device that plays.
    return BackgroundSink(
      sink, named: name, on: try BackgroundWriter(), overflow: .wait, capacity: Self.backlog)
  }

  /// The sink, with the trigger in front that was asked for.
  func triggered(_ sink: any AudioSink) -> any AudioSink {
    guard let trigger = request.recording.trigger else { return sink }
    return TriggeredSink(sink, trigger, onEvent: journal.record)
  }

  /// Tells what was recorded since the last call.
  func announce(on console: Console) {
    journal.takeNews().forEach(console.detail)
  }

  /// What to tell where a trigger let nothing through; nil where it did, and without one.
  var silenceNote: String? {
    guard let trigger = request.recording.trigger, journal.events.isEmpty else { return nil }
    let reason = "nothing reached the threshold of \(trigger.threshold) dB"
    return request.recording.limits.contains(.event)
      ? "no part was written: \(reason)" : "'\(name)' holds no sample: \(reason)"
  }

  /// What a trigger let through, for people; nil without one.
  var triggerSummary: String? {
    guard request.recording.trigger != nil else { return nil }
    let events = journal.events
    let kept = events.reduce(0) { $0 + $1.samples.count }
    return
      "\(events.count) \(events.count == 1 ? "event" : "events"), \(kept) samples per channel kept"
  }
}
