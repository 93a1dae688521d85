internal import AudioCore

/// Gaps in what devices gave, told as reading comes to them.
extension SessionRunner {
  /// From now on tells the gaps of every device and marks them in the files that it feeds.
  func followGaps(_ summary: SessionSummary) {
    for (source, input) in zip(summary.sources, inputs) {
      guard let device = input.device else { continue }
      let rate = source.description.format.sampleRate
      let places: [SinkPlace] = source.id == .local ? [.publish, .mixed] : [.playback, .mixed]
      device.onGap = { gap in
        let gap = input.placed(gap, at: rate)
        tell(gap, of: source.id, device.device, at: rate)
        guard timeline.onXrun == .mark, let position = input.mark(for: gap, at: rate) else {
          return
        }
        for place in places { outputs[place]?.mark(position, at: rate, label: gap.label) }
      }
    }
  }

  func unfollowGaps() {
    for device in inputs.compactMap(\.device) { device.onGap = nil }
  }

  private func tell(_ gap: DeviceGap, of source: SourceID, _ device: String, at rate: Int) {
    let line = JSONValue.object(
      [
        ("schema", .integer(EventObserver.schemaVersion)), ("event", .string("gap")),
        ("source", .string(source.description)), ("device", .string(device)),
      ] + gap.members(at: rate))
    observers.tell(line)
    if timeline.tellsJSON {
      console.json(line)
    } else if timeline.onXrun == .mark {
      console.note("device '\(device)': \(gap.line(at: rate))")
    }
  }
}
