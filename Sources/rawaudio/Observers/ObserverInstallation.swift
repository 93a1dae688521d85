// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioFiles
internal import AudioCore

/// Makes the observers of a command's session out of what the command line asks for.
///
/// One method a kind; `InstalledObservers` holds what they make. Main thread only.
struct ObserverInstallation {
  private let session: Session
  private let request: ObserverList
  /// Whether anything in the session moves at a device's pace, so that nothing may wait.
  private let isLive: Bool
  /// Whether sources join while the session runs.
  private let isOpen: Bool
  /// How long a mixed-in sweep takes.
  private let duration: TimePosition?
  private let meters: MeterDisplay
  /// The thread that writes taps and event logs; started where there is one of them.
  private var writer: BackgroundWriter?

  init(
    _ request: ObserverList, on session: Session, isLive: Bool, isOpen: Bool,
    duration: TimePosition?, meters: MeterDisplay
  ) {
    self.session = session
    self.request = request
    self.isLive = isLive
    self.isOpen = isOpen
    self.duration = duration
    self.meters = meters
  }

  mutating func install(_ observer: ObserverRequest) throws(AudioError) -> InstalledObserver {
    switch observer.kind {
    case .gain(let decibels):
      try register(observer) {
        GainObserver(decibels: decibels, positions: $0, parameters: $1)
      }
    case .invert: try register(observer) { GainObserver(factor: -1, positions: $0, parameters: $1) }
    case .fade(let fade, let isIn):
      try register(observer) {
        FadeObserver(
          in: isIn ? fade.length : .samples(0), out: isIn ? .samples(0) : fade.length,
          curve: fade.curve, positions: $0, parameters: $1)
      }
    case .channelMap(let map):
      try register(observer) { ChannelMapObserver(map, positions: $0, parameters: $1) }
    case .resample(let rate):
      try register(observer) {
        ResampleObserver(sampleRate: rate, positions: $0, parameters: $1)
      }
    case .mix(let source): try mix(observer, source)
    case .tap(let pattern): try tap(observer, pattern)
    case .meter: try meter(observer)
    case .loudness(let path): try loudness(observer, path)
    case .events(let path): try events(observer, path)
    case .exec(let command): try exec(observer, command)
    }
  }

  /// Registers an observer that needs nothing but its positions and the shape of its frames.
  private func register(
    _ observer: ObserverRequest,
    _ make: (ObservationPositions, FrameParameters) -> any AudioObserver
  ) throws(AudioError) -> InstalledObserver {
    let made = make(observer.positions, request.parameters(of: observer))
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }

  private func mix(_ observer: ObserverRequest, _ source: SourceEndpoint) throws(AudioError)
    -> InstalledObserver
  {
    var inputs: [SessionInput] = []
    let duration = duration
    let description = InputDescription(decoder: request.decoder)
    let made = MixObserver(
      observer.positions, parameters: request.parameters(of: observer)
    ) { (_) throws(AudioError) in
      let input = try source.input(description, duration: duration)
      inputs.append(input)
      return input.source
    }
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source),
      inputs: { inputs })
  }

  private mutating func tap(
    _ observer: ObserverRequest, _ pattern: String
  ) throws(AudioError) -> InstalledObserver {
    let files = try TapFiles(
      pattern: pattern, encoding: observer.encoding?.encoding,
      byteOrder: observer.encoding?.byteOrder, overwrite: request.overwrites,
      numbersRepeats: isOpen)
    let tap = TapObserver(
      observer.positions, parameters: request.parameters(of: observer),
      alignment: observer.alignment ?? (isOpen ? .session : .source), to: files.sink,
      on: try backgroundWriter())
    return InstalledObserver(
      request: observer, registration: try session.register(tap, from: observer.source),
      losses: {
        let count = tap.droppedSamplesPerChannel
        if count == 0 { return [] }
        return ["\(count) samples per channel were dropped, for the file was not written in time"]
      },
      clippedSamples: { files.clippedSamples },
      notANumberSamples: { files.notANumberSamples },
      finish: { () throws(AudioError) in try tap.finish() })
  }

  private func meter(_ observer: ObserverRequest) throws(AudioError) -> InstalledObserver {
    let meters = meters
    let made = MeterObserver(
      observer.positions, parameters: request.parameters(of: observer)
    ) { meters.show($0) }
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }

  private mutating func loudness(
    _ observer: ObserverRequest, _ path: String?
  ) throws(AudioError) -> InstalledObserver {
    let lines = try lines(path)
    return try register(observer, telling: lines) {
      LoudnessObserver($0, parameters: $1, to: lines)
    }
  }

  private mutating func events(
    _ observer: ObserverRequest, _ path: String?
  ) throws(AudioError) -> InstalledObserver {
    let lines = try lines(path)
    let made = EventObserver(
      observer.positions, parameters: request.parameters(of: observer), to: lines)
    var installed = try register(observer, telling: lines) { _, _ in made }
    installed.kept = made
    // What failed, the observer throws when it ends.
    installed.tell = { line in _ = try? lines.write(line: line.compact) }
    return installed
  }

  /// Registers an observer that tells in JSON.
  private func register(
    _ observer: ObserverRequest, telling lines: BackgroundLines,
    _ make: (ObservationPositions, FrameParameters) -> any AudioObserver
  ) throws(AudioError) -> InstalledObserver {
    var installed = try register(observer, make)
    installed.losses = {
      lines.droppedLines == 0 ? [] : ["\(lines.droppedLines) lines were dropped"]
    }
    return installed
  }

  private mutating func lines(_ path: String?) throws(AudioError) -> BackgroundLines {
    let overflow = isLive ? BackgroundOverflow.drop : .wait
    let writer = try backgroundWriter()
    guard let path, path != "-" else {
      let stream = path == nil ? StandardStream.error : .output
      return try BackgroundLines(
        descriptor: stream.rawValue, name: stream.name, on: writer, overflow: overflow)
    }
    return try BackgroundLines(
      path: path, overwrite: request.overwrites, on: writer, overflow: overflow)
  }

  private mutating func backgroundWriter() throws(AudioError) -> BackgroundWriter {
    if let writer { return writer }
    let started = try BackgroundWriter()
    writer = started
    return started
  }

  private func exec(
    _ observer: ObserverRequest, _ command: String
  ) throws(AudioError) -> InstalledObserver {
    let position = observer.position
    let program = try ExternalProgram(
      command, layout: observer.encoding?.layout() ?? SampleLayout(.f32),
      latency: observer.latency, timeout: observer.timeout ?? .seconds(10),
      positions: observer.positions, parameters: request.parameters(of: observer))
    let registration = try session.register(program, from: observer.source)
    func statistics() -> ExternalProgramStatistics? { program.statistics[position] }
    return InstalledObserver(
      request: observer, registration: registration, losses: { statistics()?.losses ?? [] },
      clippedSamples: { statistics()?.clipped ?? 0 },
      notANumberSamples: { statistics()?.notNumbers ?? 0 },
      details: { statistics().map { [$0.accounting] } ?? [] })
  }
}

extension ObserverRequest {
  fileprivate var positions: ObservationPositions { ObservationPositions(position) }
}

extension ExternalProgramStatistics {
  fileprivate var losses: [String] {
    var losses: [String] = []
    if late > 0 { losses.append("\(late) samples per channel came too late; the original went on") }
    if skipped > 0 {
      losses.append(
        "\(skipped) samples per channel were left out, for it did not take them in time")
    }
    return losses
  }

  fileprivate var accounting: String {
    let unused = discarded > 0 ? ", \(discarded) of them not used" : ""
    return "\(samplesIn) samples per channel in, \(samplesOut) out\(unused)"
  }
}
