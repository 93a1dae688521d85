internal import AudioCore

extension CaptureCommand {
  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    let input = try SourceEndpoint.device(device.name).input(device: options)
      .trimmed(start: nil, duration: duration)
    let output = SessionOutput(output, processing, isRecording: true)
    session.setLocal(input.source)
    session.setSink(.publish) { (sources) throws(AudioError) in try output.make(sources) }
    let frames = FrameParameters(mode: .readWrite, samplesPerCall: samplesPerCall)
    if gain != 0 {
      session.register(
        matching: GainObserver.make(decibels: gain, positions: .record, parameters: frames))
    }
    var runner = SessionRunner(
      session: session, inputs: [input], output: output, console: console,
      activity: "recording", endsBySignal: true,
      failureConditions: processing.failureConditions)
    runner.validate = { try check($0, on: console) }
    return try runner.run()
  }

  /// What the device is asked for; the rest is its own choice.
  private var options: AlsaOptions {
    var options = AlsaOptions(device)
    options.sampleRate = output.sampleRate
    options.channelCount = output.channelCount
    options.encoding = output.encoding?.encoding
    return options
  }

  /// Holds the samples per call against what the device gave.
  private func check(_ summary: SessionSummary, on console: Console) throws {
    guard let format = summary.sources.first?.description.format else { return }
    try validateSamplesPerCall(at: format)
    let count = samplesPerCall ?? FrameParameters.smallestSamplesPerCall(format)
    let rate = Double(format.sampleRate * format.channelCount) / Double(count)
    console.detail("samples per call: \(count) (\((rate * 100).rounded() / 100) calls a second)")
  }
}
