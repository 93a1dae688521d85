internal import AudioCore

/// Makes the observers of a command's session out of what the command line asks for.
///
/// One method a kind; `InstalledObservers` holds what they make. Main thread only.
struct ObserverInstallation {
  let session: Session
  let request: ObserverList
  /// Whether anything in the session moves at a device's pace, so that nothing may wait.
  let isLive: Bool
  /// How long a mixed-in sweep takes.
  let duration: TimePosition?
  let meters: MeterDisplay
  let writer: LazyWriter

  func install(_ observer: ObserverRequest) throws(AudioError) -> InstalledObserver {
    switch observer.kind {
    case .gain(let decibels): try gain(observer, decibels)
    case .resample(let rate): try resample(observer, rate)
    case .mix(let source): try mix(observer, source)
    case .tap(let pattern): try tap(observer, pattern)
    case .meter: try meter(observer)
    case .events(let path): try events(observer, path)
    case .exec(let command): try exec(observer, command)
    }
  }

  private func gain(_ observer: ObserverRequest, _ decibels: Double) throws(AudioError)
    -> InstalledObserver
  {
    let maker = GainObserver.make(
      decibels: decibels, positions: observer.positions,
      parameters: request.parameters(of: observer))
    return InstalledObserver(
      request: observer,
      registration: try session.register(matching: maker, from: observer.source))
  }

  private func resample(_ observer: ObserverRequest, _ rate: Int) throws(AudioError)
    -> InstalledObserver
  {
    let made = ResampleObserver(
      sampleRate: rate, positions: observer.positions,
      parameters: request.parameters(of: observer))
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }

  private func mix(_ observer: ObserverRequest, _ source: SourceEndpoint) throws(AudioError)
    -> InstalledObserver
  {
    let sources = MixedInSources(source, duration: duration)
    let maker = MixObserver.make(
      observer.positions, parameters: request.parameters(of: observer),
      quality: session.resamplerQuality, control: session.control, adding: sources.make)
    return InstalledObserver(
      request: observer,
      registration: try session.register(matching: maker, from: observer.source),
      inputs: { sources.inputs })
  }

  private func tap(
    _ observer: ObserverRequest, _ pattern: String
  ) throws(AudioError) -> InstalledObserver {
    let files = try TapFiles(
      pattern: pattern, encoding: observer.encoding?.encoding,
      byteOrder: observer.encoding?.byteOrder, overwrite: request.overwrites)
    let maker = TapObserver.make(
      observer.positions, parameters: request.parameters(of: observer), to: files.sink,
      on: try writer.writer(), control: session.control)
    let taps = MadeTaps(maker)
    return InstalledObserver(
      request: observer,
      registration: try session.register(matching: taps.make, from: observer.source),
      losses: { taps.losses }, clippedSamples: { files.clippedSamples })
  }

  private func meter(_ observer: ObserverRequest) throws(AudioError) -> InstalledObserver {
    let meters = meters
    let made = MeterObserver(
      observer.positions, parameters: request.parameters(of: observer)
    ) { meters.show($0) }
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }

  private func events(
    _ observer: ObserverRequest, _ path: String?
  ) throws(AudioError) -> InstalledObserver {
    let lines = try lines(path)
    let made = EventObserver(
      observer.positions, parameters: request.parameters(of: observer), to: lines)
    let registration = try session.register(made, from: observer.source)
    made.registration = registration
    return InstalledObserver(
      request: observer, registration: registration,
      losses: { lines.droppedLines == 0 ? [] : ["\(lines.droppedLines) lines were dropped"] },
      // What failed, the observer throws when it ends.
      tell: { line in _ = try? lines.write(line: line.compact) })
  }

  private func lines(_ path: String?) throws(AudioError) -> BackgroundLines {
    let overflow = isLive ? BackgroundOverflow.drop : .wait
    let writer = try writer.writer()
    guard let path, path != "-" else {
      let stream = path == nil ? StandardStream.error : .output
      return try BackgroundLines(
        descriptor: stream.rawValue, name: stream.name, on: writer, overflow: overflow,
        control: session.control)
    }
    return try BackgroundLines(
      path: path, overwrite: request.overwrites, on: writer, overflow: overflow,
      control: session.control)
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
