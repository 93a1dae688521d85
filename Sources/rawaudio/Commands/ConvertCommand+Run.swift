internal import AudioCore

extension ConvertCommand {
  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    // The rate of a source that is generated.
    session.mixSampleRate = output.sampleRate
    let input = try source.input(input, duration: duration)
      .trimmed(start: start, duration: duration)
    let output = SessionOutput(output, processing, isRecording: source.isDevice)
    session.setLocal(input.source, gain: Decibels.factor(gain))
    session.setSink(.publish, output)
    let isLive = source.isDevice || self.output.sink.isDevice
    let observers = try SessionObservers(
      observation, on: session, console: console, isLive: isLive, duration: duration)
    return try SessionRunner(
      session: session, inputs: [input], outputs: [.publish: output], observers: observers,
      console: console, activity: "converting", endsBySignal: isLive,
      failureConditions: processing.failureConditions
    ).run()
  }
}
