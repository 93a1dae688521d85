// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// `rawaudio capture`: an ALSA device to a file or a pipe.
struct CaptureCommand: Command {
  @Option(
    "start", .time, default: "0",
    help: "How much of the beginning to leave out: \(TimePosition.forms).")
  var start: TimePosition?
  @Option(.duration(default: "until interrupted")) var duration: TimePosition?
  /// Decibels.
  @Option(.gain) var gain: Double
  var filtering = FilterOptions()
  var limiting = LimitOptions()
  var processing = ProcessingOptions()
  var destination = OutputOptions()
  /// Rate, channels and encoding are also requested from the device.
  var format = OutputFormatOptions(
    of: "the device and of the output", rate: "48000 if the device offers it",
    channels: "the device's, at most 2", encoding: "s16",
    encodingHelp: "Encoding of the device and of the output: s16, S24_3LE, s32, f32, ...",
    effort: "the codec's")
  var tags = TagOptions()
  var origin = OriginOptions()
  var recording = RecordingOptions()
  var unattended = UnattendedRequest()
  var schedule = ScheduleOptions()
  var device = DeviceOptions(.recordingDevice)
  var timeline = TimelineRequest(asksForRate: true)
  var status = StatusRequest()
  var observers = ObserverOptions(at: [.record])
  var configuration = ConfigurationOptions()

  private(set) var output = OutputPlan()
  private(set) var observation = ObserverList(main: .record)
  private(set) var filters = EditRequest()

  static let name = "capture"
  static let usual = "output device duration rate channels format split threshold meter force"
  static let abstract = "Record from a device."
  static let discussion = """
    Records until the duration is reached or the command is interrupted, which completes the file. \
    Rate, channels and format are also requested from the device. The recording keeps to the \
    device's clock: silence stands for samples that were lost, and the end tells how many.
    """

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

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    output = format.request(
      to: try destination.sink(in: context), overwrites: destination.overwrites,
      samplesPerCall: observers.samplesPerCall,
      metadata: tags.request())
    try output.name(by: recording.naming(liveness: .live), for: destination.$sink)
    try context.checkDeviceOptions(of: [device.end])
    let sink = output.sink
    output.recording = try recording.request(
      to: sink, namedBy: destination.$sink, liveness: .live)
    output.recording.origin = try origin.request()
    if let start { output.recording.leadIn = start }
    try schedule.apply(
      to: &output.recording, of: sink, namedBy: destination.$sink, from: device.end, origin)
    try unattended.check([sink], timeline)
    try output.recording.wait(for: unattended)
    timeline.reopens = unattended.reopens
    observation = try observers.list(
      in: .recording(Self.name),
      sampleRate: format.sampleRate, channelCount: format.channelCount,
      sinks: [sink], overwrites: destination.overwrites)
    observation.civilTime = recording.civilTime
    filters = try filtering.ofWhole()
  }

  func run(on console: Console) throws -> ExitCode {
    let session = Session()
    session.resamplerQuality = processing.resamplerQuality
    let input = try device.end.input(device: request(on: console))
      .cut(.init(start: start.map { .fromStart($0) }, duration: duration))
    let collector = PieceCollector(
      try output.recording.openLabels(nil), keepsPieces: false)
    let output = SessionOutput(
      output, from: [input], .live, dither: processing.dither, limit: limiting.limit)
    (output.tellsOrigin, output.pieces) = (!origin.isHidden, collector)
    try session.setLocal(input.source, gain: Decibels.factor(gain))
    try filters.registerShape(on: session, at: .record)
    let command = try CommandSession(
      session, from: [input], to: [.publish: output], observation, duration: duration,
      timeline: timeline, requestedSampleRate: self.output.sampleRate, on: console)
    return try collector.run {
      try SessionRunner(
        command: command,
        activity: "recording", failureConditions: processing.failureConditions,
        status: status.measuring(at: .record), unattended: unattended
      ).run()
    }
  }

  /// The request to the device. The device chooses the rest.
  private func request(on console: Console) -> DeviceRequest {
    var request = DeviceRequest(device.buffering, timeline)
    if observation.observers.isEmpty, limiting.limit == nil, !output.sink.isTakenAtOnce {
      request.latency = console.longestLatency
    }
    request.sampleRate = output.sampleRate
    request.channelCount = output.channelCount
    request.encoding = output.encoding?.encoding
    request.isNeeded = schedule.hours(of: output.recording.schedule, device.end)
    return request
  }
}
