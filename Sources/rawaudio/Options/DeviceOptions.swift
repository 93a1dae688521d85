// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioNetwork

/// The options of commands that use one device.
struct DeviceOptions<End: Sendable> {
  @Option var end: End
  var buffering: BufferingOptions

  /// The ends other than ALSA, which need their scheme.
  private static var others: String {
    let usages =
      End.self == SinkEndpoint.self
      ? SinkEnds.playing.filter { $0 != AlsaSinkEnd.self }.map { $0.usage }
      : SourceEnds.all.filter { $0.liveness == .live && $0 != AlsaSourceEnd.self }
        .flatMap { $0.usages }
    return usages.joinedAsAlternatives
  }

  /// - Parameter syntax: the devices of one direction.
  init(_ syntax: ValueSyntax<End>) {
    _end = Option(
      "device", short: "D", syntax, default: "default", group: .device, givenOnce: true,
      help: "Name of an ALSA PCM: hw:CARD=PCH,DEV=0, plughw:1,0, pulse, ...; or \(Self.others).")
    // The help page follows the order in which options are made.
    buffering = BufferingOptions()
  }
}

/// The requested buffering of devices. Nil members are left to the devices.
struct BufferingOptions {
  @Option(
    "period-size", .bufferLength, default: "the device's own", group: .device,
    help: "Length of ALSA's transfer unit, in samples per channel or as in 10ms.")
  var periodSize: DeviceLength?
  @Option(
    "buffer-size", .bufferLength, default: "the device's own", group: .device,
    help: "Length of the device's buffer, in samples per channel or as in 200ms.")
  var bufferSize: DeviceLength?
  /// The level of SCHED_FIFO. Nil for ordinary threads.
  @Option(
    "priority", .priority, impliedValue: "10", group: .device,
    help: """
      Run device threads before all ordinary ones (SCHED_FIFO), at a level from 1 to 99, else 10; \
      without the right to it go on as usual, with a note.
      """)
  var priority: Int?
  @Option(
    "name", .serverName, default: "rawaudio", group: .device,
    help: "Name of this program at a sound server.")
  var clientName: String?
}

extension ValueSyntax<String> {
  fileprivate static let serverName = ValueSyntax(name: "name") {
    (text: String) throws(InvalidValue) in
    if text.isEmpty || text.contains(":") {
      throw InvalidValue("a name has at least one letter and no colon")
    }
    return text
  }
}

/// The way a command records from devices.
struct TimelineRequest {
  @Option var onXrun: OnXrun
  /// The policy if the device does not support the rate. Nil if the command requests no rate.
  let rates: RateOptions?
  /// The capacity of the ring between device and session. Nil for the library's default.
  @Option var ringSize: DeviceLength?
  /// Whether gaps and the summary are printed in JSON.
  @Flag("json", help: "Tell gaps and, at the end, a summary in lines of JSON on standard error.")
  var tellsJSON: Bool
  var reopens = false
  let network: NetworkSettings

  /// - Parameter asksForRate: whether the command requests a rate from devices.
  init(asksForRate: Bool = false) {
    _onXrun = Option(
      "on-xrun", .choice(name: "action"), default: "fill",
      group: .device,
      help: """
        For samples that a device lost: fill puts silence in their place, mark also a cue \
        point into a WAV file, fail ends the recording with exit code 1.
        """)
    rates = asksForRate ? RateOptions() : nil
    _ringSize = Option(
      "ring-size", .bufferLength, default: "4000ms", group: .device,
      help: """
        How much is held when the output does not keep up, in samples per channel or as in 4000ms.
        """)
    network = NetworkSettings()
  }
}

/// The options of commands that request a rate from a device.
struct RateOptions {
  @Option(
    "rate-policy", .choice(name: "policy"),
    default: "fail for ALSA", group: .device,
    help: """
      If the device does not give the rate of --rate: fail, or resample from the nearest that it has.
      """)
  var policy: RatePolicy?
}

extension InvocationContext {
  /// - Throws: if a device option was given that none of these ends reads.
  func checkDeviceOptions(
    of sources: [SourceEndpoint], _ sinks: [SinkEndpoint] = []
  ) throws(UsageError) {
    let used = sources.compactMap(\.options) + sinks.compactMap(\.options)
    for option in given where [.device, .network].contains(option.group) {
      if option.name == "device" || used.contains(where: option.isIn) { continue }
      var schemes: [String] = []
      for end in SourceEnds.all as [any SchemeEnd.Type] + SinkEnds.all
      where option.isIn(end.options) && !schemes.contains(end.scheme) {
        schemes.append(end.scheme)
      }
      throw UsageError(
        "'\(option.label)' has no effect here; it is for \(schemes.joinedAsAlternatives)")
    }
  }
}

extension Declaration {
  fileprivate func isIn(_ names: String) -> Bool {
    names.split(separator: " ").contains { $0 == name }
  }
}

extension Console {
  /// The longest wait of samples that are not taken at once. It matches the refresh of the status line, else it bounds
  /// a file's loss at a kill.
  var longestLatency: Duration { .milliseconds(showsStatus ? 100 : 500) }
}

extension DeviceRequest {
  /// The buffering, and the policies for gaps, losses and rates, from the command line.
  init(_ buffering: BufferingOptions, _ timeline: TimelineRequest = TimelineRequest()) {
    ring = timeline.ringSize
    ratePolicy = timeline.rates?.policy
    gapPolicy = timeline.onXrun == .fail ? .fail : .fill
    lossPolicy = timeline.reopens ? .reopen : .fail
    period = buffering.periodSize
    buffer = buffering.bufferSize
    priority = buffering.priority
    clientName = buffering.clientName
    network = NetworkOptions(timeline.network)
    credentialsFile = timeline.network.credentials
  }
}
