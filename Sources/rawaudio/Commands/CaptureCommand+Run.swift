internal import AudioCore

extension CaptureCommand {
  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    let input = try SourceEndpoint.device(device.name).input(device: options)
      .trimmed(start: start, duration: duration)
    let output = SessionOutput(output, processing, isRecording: true)
    session.setLocal(input.source, gain: Decibels.factor(gain))
    session.setSink(.publish, output)
    let observers = try SessionObservers(
      observation, on: session, console: console, isLive: true, duration: duration)
    return try SessionRunner(
      session: session, inputs: [input], outputs: [.publish: output], observers: observers,
      console: console, activity: "recording", endsBySignal: true,
      failureConditions: processing.failureConditions, timeline: timeline,
      requestedSampleRate: self.output.sampleRate
    ).run()
  }

  /// What the device is asked for; the rest is its own choice.
  private var options: AlsaOptions {
    var options = AlsaOptions(device, timeline)
    options.sampleRate = output.sampleRate
    options.channelCount = output.channelCount
    options.encoding = output.encoding?.encoding
    return options
  }
}
