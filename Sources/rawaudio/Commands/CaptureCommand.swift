// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// `rawaudio capture`: an ALSA device to a file or a pipe.
struct CaptureCommand: Command {
  var device: DeviceRequest
  /// Rate, channels and encoding are also the request to the device.
  var output: OutputRequest
  var start: TimePosition?
  var duration: TimePosition?
  /// Decibels.
  var gain: Double
  var processing: ProcessingRequest
  var observation: ObserverList
  var meter: StatusRequest.Meter
  var timeline: TimelineRequest
  var unattended: UnattendedRequest

  static let name = "capture"
  static let abstract = "Record from a device."
  static let discussion = """
    Records until the duration is reached or the command is interrupted, which completes the file. \
    Rate, channels and format are also what the device is asked for. The recording keeps to the \
    device's clock: silence stands for samples that were lost, and the end tells how many.
    """

  static let start = Option(
    "start", .time, default: "0",
    help: "How much of the beginning to leave out: \(TimePosition.forms).")
  static let duration = Option(
    "duration", short: "d", .length, default: "until interrupted",
    help: "How long: \(TimePosition.forms).")
  static let rate = Option(
    "rate", short: "r", .sampleRate, default: "48000 where the device offers it", group: .output,
    help: "Sample rate of the device and of the output.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the device's, at most 2", group: .output,
    help: "Channels of the device and of the output.")
  static let format = Option(
    "format", short: "f", .format, default: "s16", group: .output,
    help: "Encoding of the device and of the output: s16, S24_3LE, s32, f32, ...")

  static let parameters: [any Declared] =
    [start, duration, ProcessingOptions.gain]
    + ProcessingOptions.conversionParameters + [TimelineOptions.json]
    + [OutputOptions.output, OutputOptions.force, OutputOptions.type, rate, channels, format]
    + OutputOptions.encoderParameters + MetadataOptions.captureParameters
    + RecordingOptions.parameters + UnattendedOptions.parameters
    + DeviceOptions.parameters + TimelineOptions.captureParameters
    + [StatusOptions.meter] + ObserverOptions.parameters(at: [.record])

  static let examples = [
    Example(
      "Give another program stereo in pieces of 50 ms until Ctrl-C:",
      """
      rawaudio capture -r 44100 -c 2 --samples-per-call 4410 \\
        | rawaudio convert - -o take.flac
      """),
    Example(
      "Five seconds, made quieter:",
      "rawaudio capture -d 5 | rawaudio convert - --gain -6 -o quiet.wav"
    ),
    Example(
      "A file for each sound until Ctrl-C:",
      "rawaudio capture --threshold -40dB --split event -o sound-%03d.wav"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    device = try DeviceOptions.request(arguments)
    start = try arguments.value(of: Self.start)
    timeline = try TimelineOptions.request(arguments)
    duration = try arguments.value(of: Self.duration)
    gain = try arguments.value(of: ProcessingOptions.gain) ?? 0
    processing = try ProcessingOptions.request(arguments)
    output = try OutputOptions.request(arguments, in: context, sinkOnTerminal: nil)
    output.recording = try RecordingOptions.request(arguments, to: output.sink, liveness: .device)
    if let start { output.recording.leadIn = start }
    unattended = try UnattendedOptions.request(arguments, sinks: [output.sink], timeline)
    timeline.reopens = unattended.reopens
    meter = try arguments.value(of: StatusOptions.meter) ?? .line
    observation = try ObserverOptions.request(
      arguments, in: .recording(Self.name),
      lowest: LowestFormat(sampleRate: output.sampleRate, channelCount: output.channelCount),
      sinks: [output.sink])
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    let input = try SourceEndpoint.device(device.name).input(device: options(on: console))
      .trimmed(start: start, duration: duration)
    let output = SessionOutput(output, processing, liveness: .device)
    output.tellsOrigin = self.output.metadata.tellsOrigin
    try session.setLocal(input.source, gain: Decibels.factor(gain))
    try session.setSink(.publish, output)
    let observers = try InstalledObservers(
      observation, on: session, console: console, isLive: true, duration: duration)
    return try SessionRunner(
      command: CommandSession(
        session: session, inputs: [input], outputs: [.publish: output], observers: observers,
        console: console, timeline: timeline, requestedSampleRate: self.output.sampleRate),
      activity: "recording", failureConditions: processing.failureConditions,
      status: StatusRequest(position: .record, meter: meter), unattended: unattended
    ).run()
  }

  /// What is asked of the device. The device chooses the rest.
  private func options(on console: Console) -> AlsaOptions {
    var options = AlsaOptions(device, timeline)
    if observation.observers.isEmpty, !output.sink.isTakenAtOnce {
      options.latency = console.longestLatency
    }
    options.sampleRate = output.sampleRate
    options.channelCount = output.channelCount
    options.encoding = output.encoding?.encoding
    return options
  }
}
