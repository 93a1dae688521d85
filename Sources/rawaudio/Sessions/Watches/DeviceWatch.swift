// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Reports the gaps of recording devices, and the news of all.
struct DeviceWatch: RunReader {
  let command: CommandSession
  private let given = GivenSources()

  init(command: CommandSession) { self.command = command }

  func take(_ event: RunEvent, in log: RunLog) {
    if case .participation(.joined(let participant)) = event, !given.keys.contains(participant.key)
    {
      for (place, output) in command.outputs where place != .publish { output.sources.gain() }
    }
    guard case .started(let summary) = event else { return }
    given.keys = Set(summary.sources.map(\.key))
    // A sum of a length that the user states is wanted also of no program.
    let others = command.isOpen && command.session.duration != nil ? 1 : 0
    for (place, output) in command.outputs {
      output.sources.begin(others + summary.sources.count { place.takes($0.key) })
    }
    for device in command.devices {
      let name = device.device
      device.onNotice = { log.tell(.notice($0, device: name)) }
    }
    for (source, input) in zip(summary.sources, command.inputs) {
      guard let device = input.device else { continue }
      let feed = DeviceFeed(of: input, source, in: command)
      device.onAbsence = { feed.take($0, in: log) }
      device.onGap = { feed.take($0, in: log) }
    }
  }

  /// Removes the callbacks of the devices, which hold the log.
  func end() {
    for device in command.devices { device.onNotice = nil }
    for device in command.liveSources {
      device.onGap = nil
      device.onAbsence = nil
    }
  }
}

/// The sources that are there at the start.
private final class GivenSources {
  var keys: Set<SourceKey> = []
}

extension SinkPlace {
  /// Whether the samples of a source reach it.
  fileprivate func takes(_ source: SourceKey) -> Bool {
    switch self {
    case .mixed: true
    case .publish: source == .local
    case .playback: source != .local
    case .playbackOf(let key): source != key
    case .track(let key): source == key
    }
  }
}

/// A device and its files: marks its gaps in them, and ends and begins the parts of files without another source.
private struct DeviceFeed {
  private let command: CommandSession
  private let input: SessionInput
  private let source: SourceKey
  private let sampleRate: Int
  private let outputs: [SessionOutput]
  /// Those that the samples reach.
  private let reachedOutputs: [SessionOutput]
  /// The outputs without another source.
  private let ownOutputs: [SessionOutput]

  init(of input: SessionInput, _ source: SessionSummary.Source, in command: CommandSession) {
    self.command = command
    self.input = input
    self.source = source.key
    sampleRate = source.description.format.sampleRate
    let isAlone = command.inputs.count == 1 && !command.isOpen
    let isLocal = source.key == .local
    outputs = [isLocal ? .publish : .playback, .mixed, .track(source.key)]
      .compactMap { command.outputs[$0] }
    reachedOutputs = command.outputs.filter { $0.key.takes(source.key) }.map(\.value)
    ownOutputs =
      isAlone
      ? outputs : [command.outputs[isLocal ? .publish : .track(source.key)]].compactMap(\.self)
  }

  func take(_ gap: DeviceGap, in log: RunLog) {
    let located = input.locatedGap(gap, at: sampleRate)
    let isMarked = command.timeline.onXrun == .mark
    log.tell(
      .gap(
        RunEvent.Gap(
          source: source, device: input.name, gap: located,
          time: command.clock.text(of: located.gap.position, at: sampleRate),
          isNoted: isMarked && gap.cause != .deviceLost)))
    // The part of a lost device has already ended.
    if gap.cause == .deviceLost, leavesGapsOut { return }
    guard isMarked, let position = input.mark(for: located.gap) else { return }
    for output in outputs { output.mark(position, at: sampleRate, label: gap.label) }
  }

  func take(_ absence: Disconnection, in log: RunLog) {
    var alarm: AlarmChange?
    switch absence {
    case .began(let loss, let position):
      let begin = place(position)
      for output in ownOutputs { output.beginGap(at: begin, sampleRate) }
      if position == 0 { for output in reachedOutputs { output.sources.lose() } }
      alarm = AlarmChange(kind: .device, begins: true, position: begin, reason: loss.reason)
    case .ended(let gap, isBack: true):
      let length = gap.lostSamplesPerChannel ?? 0
      let end = place(gap.position + length)
      for output in ownOutputs { output.endGap(at: end) }
      if gap.position == 0 { for output in reachedOutputs { output.sources.gain() } }
      alarm = AlarmChange(
        kind: .device, begins: false, position: end, lasted: Double(length) / Double(sampleRate))
    case .paused(let position):
      for output in ownOutputs { output.beginGap(at: place(position), sampleRate) }
      if position == 0 { for output in reachedOutputs { output.sources.lose() } }
    case .resumed(let begin, let position):
      for output in ownOutputs { output.endGap(at: place(position)) }
      if begin == 0 { for output in reachedOutputs { output.sources.gain() } }
    case .lasts, .unusable, .ended: break
    }
    log.tell(
      .absence(
        RunEvent.Absence(
          device: input.name, absence: absence, sampleRate: sampleRate,
          isLeftOut: leavesGapsOut)))
    guard var alarm else { return }
    alarm.device = input.name
    alarm.source = source
    alarm.sampleRate = sampleRate
    alarm.time = alarm.position.flatMap { command.clock.text(of: $0, at: sampleRate) }
    log.tell(.alarm(alarm))
  }

  /// Whether every output without another source skips gaps.
  private var leavesGapsOut: Bool {
    !ownOutputs.isEmpty && ownOutputs.allSatisfy(\.leavesGapsOut)
  }

  /// Converts a position of the device's stream to one in the recorded part.
  private func place(_ position: Int64) -> Int64 {
    max(0, input.located(position))
  }
}
