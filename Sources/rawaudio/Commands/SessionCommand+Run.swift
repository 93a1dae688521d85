internal import AudioCore

extension SessionCommand {
  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = sampleRate
    session.mixChannelCount = channelCount
    session.mixDuration = duration
    let inputs = try addSources(to: session)
    let isRecording = inputs.contains { $0.device != nil }
    let isLive = isRecording || outputs.values.contains { $0.sink.isDevice }
    let sinks = outputs.mapValues { request in
      SessionOutput(
        request.sink.isDevice ? OutputRequest(sink: request.sink, overwrites: false) : request,
        processing, device: playbackOptions, isRecording: isRecording)
    }
    for (place, output) in sinks { session.setSink(place, output) }
    let observers = try SessionObservers(
      observation, on: session, console: console, isLive: isLive, duration: duration)
    return try SessionRunner(
      session: session, inputs: inputs, outputs: sinks, observers: observers, console: console,
      activity: "running", endsBySignal: isLive, failureConditions: processing.failureConditions,
      timeline: timeline
    ).run()
  }

  private func addSources(to session: Session) throws(AudioError) -> [SessionInput] {
    var inputs: [SessionInput] = []
    if let local {
      let input = try local.source.input(
        local.description, device: deviceOptions, duration: duration
      ).trimmed(start: nil, duration: duration)
      session.setLocal(input.source)
      inputs.append(input)
    }
    for source in incoming {
      let input = try source.source.endpoint.input(
        source.description, device: deviceOptions, duration: duration)
      if source.isShared {
        try session.addShared(input.source, id: source.id)
      } else {
        try session.addRemote(input.source, id: source.id, group: source.source.group)
      }
      inputs.append(input)
    }
    return inputs
  }

  /// The buffering of every device to play on; the rest is its own choice.
  private var playbackOptions: AlsaOptions { AlsaOptions(device) }

  private var device: DeviceRequest {
    DeviceRequest(name: "", periodSize: periodSize, bufferSize: bufferSize, priority: priority)
  }

  /// What every device to record from is asked for; the rest is its own choice.
  private var deviceOptions: AlsaOptions {
    AlsaOptions(device, timeline)
  }
}
