// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// A device and the buffering that is asked of it; nil if the device decides.
struct DeviceRequest: Sendable, Hashable {
  /// The name of an ALSA PCM.
  var name: String
  var periodSize: DeviceLength?
  var bufferSize: DeviceLength?
  /// The level of SCHED_FIFO; nil for ordinary threads.
  var priority: Int?
}

/// The options of commands that use one device.
enum DeviceOptions {
  static let device = Option(
    "device", short: "D", .deviceName, default: "default", group: .device,
    help: "Name of an ALSA PCM: hw:CARD=PCH,DEV=0, plughw:1,0, pulse, ..."
  ).givenOnce
  static let periodSize = Option(
    "period-size", .bufferLength, default: "the device's own", group: .device,
    help: "Length of ALSA's transfer unit, in samples per channel or as in 10ms.")
  static let bufferSize = Option(
    "buffer-size", .bufferLength, default: "the device's own", group: .device,
    help: "Length of the device's buffer, in samples per channel or as in 200ms.")
  static let priority = Option(
    "priority", .priority, impliedValue: "10", group: .device,
    help: """
      Run device threads before all ordinary ones (SCHED_FIFO), at a level from 1 to 99, else 10; \
      without the right to it go on as usual, with a note.
      """)

  static let parameters: [any Declared] = [device, periodSize, bufferSize, priority]

  static func request(_ arguments: ParsedArguments) throws(UsageError) -> DeviceRequest {
    DeviceRequest(
      name: try arguments.value(of: device) ?? "default",
      periodSize: try arguments.value(of: periodSize),
      bufferSize: try arguments.value(of: bufferSize),
      priority: try arguments.value(of: priority))
  }
}

/// How a command records from devices.
struct TimelineRequest: Sendable, Hashable {
  var onXrun = OnXrun.fill
  var ratePolicy = RatePolicy.fail
  /// The capacity of the ring between device and session; nil for the library's default.
  var ringSize: DeviceLength?
  /// Whether a device that is lost is waited for.
  var reopens = false
  /// Whether gaps and the summary are printed in JSON.
  var tellsJSON = false
}

/// The options of commands that record from devices.
enum TimelineOptions {
  static let onXrun = Option(
    "on-xrun", .choice(name: "action", OnXrun.allCases), default: OnXrun.fill.rawValue,
    group: .device,
    help: """
      What becomes of samples that a device lost: fill puts silence in their place, mark also a cue \
      point into a WAV file, fail ends the recording with exit code 1.
      """)
  static let ratePolicy = Option(
    "rate-policy", .choice(name: "policy", RatePolicy.allCases),
    default: RatePolicy.fail.rawValue, group: .device,
    help: """
      Where the device does not give the rate of --rate: fail, or resample from the nearest that it has.
      """)
  static let ringSize = Option(
    "ring-size", .bufferLength, default: "4000ms", group: .device,
    help: """
      How much is held when the output does not keep up, in samples per channel or as in 4000ms.
      """)
  static let json = Flag(
    "json", help: "Tell gaps and, at the end, a summary in lines of JSON on standard error.")

  static let sessionParameters: [any Declared] = [onXrun, ringSize]
  static let captureParameters: [any Declared] = [onXrun, ratePolicy, ringSize]

  static func request(_ arguments: ParsedArguments) throws(UsageError) -> TimelineRequest {
    TimelineRequest(
      onXrun: try arguments.value(of: onXrun) ?? .fill,
      ratePolicy: try arguments.value(of: ratePolicy) ?? .fail,
      ringSize: try arguments.value(of: ringSize), tellsJSON: arguments.has(json))
  }
}

extension Console {
  /// How long samples may wait that nobody takes at once: as long as the status line does, else what a kill may cost of
  /// a file.
  var longestLatency: Duration { .milliseconds(showsStatus ? 100 : 500) }
}

extension AlsaOptions {
  /// The buffering, and what is done about gaps and rates, as the command line asks for it.
  init(_ request: DeviceRequest, _ timeline: TimelineRequest = TimelineRequest()) {
    self.init()
    ring = timeline.ringSize
    ratePolicy = timeline.ratePolicy
    gapPolicy = timeline.onXrun == .fail ? .fail : .fill
    lossPolicy = timeline.reopens ? .reopen : .fail
    period = request.periodSize
    buffer = request.bufferSize
    priority = request.priority
  }
}
