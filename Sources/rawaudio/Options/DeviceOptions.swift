internal import AudioCore

/// A device and the buffering asked of it; nil where the device decides.
struct DeviceRequest: Sendable, Hashable {
  /// The name of an ALSA PCM.
  var name: String
  var periodSize: DeviceLength?
  var bufferSize: DeviceLength?
  /// The level of SCHED_FIFO; nil = ordinary threads.
  var priority: Int?
}

/// The options of commands that use one device.
enum DeviceOptions {
  static let device = Option(
    "device", short: "D", .deviceName, default: "default", group: .device,
    help: "Name of an ALSA PCM: hw:CARD=PCH,DEV=0, plughw:1,0, pulse, ...")
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

extension ValueSyntax<String> {
  /// The name of an ALSA PCM, with or without `alsa:`.
  static let deviceName = ValueSyntax(name: "name") { (text: String) throws(InvalidValue) in
    if let name = try alsaName(text) { return name }
    if text.isEmpty { throw InvalidValue("the name is empty") }
    return text
  }
}
