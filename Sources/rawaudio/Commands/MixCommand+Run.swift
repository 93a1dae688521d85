internal import AudioCore

extension MixCommand {
  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    session.mixSampleRate = output.sampleRate
    session.mixChannelCount = output.channelCount
    session.mixDuration = duration
    var opened: [SessionInput] = []
    for input in inputs {
      let source = try input.source.input(input.description, duration: duration)
      opened.append(source)
      try session.addRemote(
        source.source,
        entry: MixEntry(
          gain: Decibels.factor(input.gain), pan: input.pan, offset: input.offset))
    }
    let isRecording = inputs.contains { $0.source.isDevice }
    let output = SessionOutput(output, processing, isRecording: isRecording)
    session.setSink(.playback, output)
    let isLive = isRecording || self.output.sink.isDevice
    let observers = try SessionObservers(
      observation, on: session, console: console, isLive: isLive, duration: duration)
    return try SessionRunner(
      session: session, inputs: opened, outputs: [.playback: output], observers: observers,
      console: console, activity: "mixing", endsBySignal: isLive,
      failureConditions: processing.failureConditions
    ).run()
  }
}
