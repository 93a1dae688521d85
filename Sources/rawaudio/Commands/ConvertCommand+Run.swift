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
    session.setLocal(input.source)
    session.setSink(.publish) { (sources) throws(AudioError) in try output.make(sources) }
    if gain != 0 {
      session.register(matching: GainObserver.make(decibels: gain, positions: .record))
    }
    return try SessionRunner(
      session: session, inputs: [input], output: output, console: console,
      activity: "converting", endsBySignal: source.isDevice || self.output.sink.isDevice,
      failureConditions: processing.failureConditions
    ).run()
  }
}
