internal import AudioCore

extension PlayCommand {
  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    var opened: [SessionInput] = []
    for (source, description) in zip(sources, inputs) {
      opened.append(try source.input(description, duration: duration))
    }
    let list = SessionInput(
      generated: SequenceSource(opened.map(\.source), quality: processing.resamplerQuality),
      name: opened.map(\.name).joined(separator: "', '"))
    let input = list.trimmed(start: start, duration: duration)
    try session.addRemote(input.source, entry: MixEntry(gain: Decibels.factor(gain)))
    let output = SessionOutput(
      OutputRequest(sink: .device(device.name), overwrites: false), processing,
      device: AlsaOptions(device))
    session.setSink(.playback, output)
    let observers = try SessionObservers(
      observation, on: session, console: console, isLive: true, duration: duration)
    return try SessionRunner(
      session: session, inputs: opened, outputs: [.playback: output], observers: observers,
      console: console, activity: "playing", endsBySignal: true,
      failureConditions: processing.failureConditions
    ).run()
  }
}
