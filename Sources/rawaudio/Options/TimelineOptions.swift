internal import AudioCore

/// How a command records from devices.
struct TimelineRequest: Sendable, Hashable {
  var onXrun = OnXrun.fill
  var ratePolicy = RatePolicy.fail
  /// The storage between a device and the session; nil = the library's own choice.
  var ringSize: DeviceLength?
  /// Whether gaps and the summary are told in JSON.
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
