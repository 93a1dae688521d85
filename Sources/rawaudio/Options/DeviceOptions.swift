// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// The options of commands that use one device.
struct DeviceOptions {
  @Option(
    "device", short: "D", .deviceName, default: "default", group: .device, givenOnce: true,
    help: "Name of an ALSA PCM: hw:CARD=PCH,DEV=0, plughw:1,0, pulse, ...")
  var name: String
  var buffering = BufferingOptions()
}

/// The buffering that is asked of devices; nil if they decide.
struct BufferingOptions {
  @Option(
    "period-size", .bufferLength, default: "the device's own", group: .device,
    help: "Length of ALSA's transfer unit, in samples per channel or as in 10ms.")
  var periodSize: DeviceLength?
  @Option(
    "buffer-size", .bufferLength, default: "the device's own", group: .device,
    help: "Length of the device's buffer, in samples per channel or as in 200ms.")
  var bufferSize: DeviceLength?
  /// The level of SCHED_FIFO; nil for ordinary threads.
  @Option(
    "priority", .priority, impliedValue: "10", group: .device,
    help: """
      Run device threads before all ordinary ones (SCHED_FIFO), at a level from 1 to 99, else 10; \
      without the right to it go on as usual, with a note.
      """)
  var priority: Int?
}

/// How a command records from devices.
struct TimelineRequest {
  @Option var onXrun: OnXrun
  /// The policy if the device does not give the rate; nil if the command asks for none.
  let rates: RateOptions?
  /// The capacity of the ring between device and session; nil for the library's default.
  @Option var ringSize: DeviceLength?
  /// Whether gaps and the summary are printed in JSON.
  @Flag("json", help: "Tell gaps and, at the end, a summary in lines of JSON on standard error.")
  var tellsJSON: Bool
  /// Whether a device that is lost is waited for.
  var reopens = false

  /// - Parameter asksForRate: whether the command asks devices for a rate.
  init(asksForRate: Bool = false) {
    _onXrun = Option(
      "on-xrun", .choice(name: "action"), default: "fill",
      group: .device,
      help: """
        What becomes of samples that a device lost: fill puts silence in their place, mark also a cue \
        point into a WAV file, fail ends the recording with exit code 1.
        """)
    rates = asksForRate ? RateOptions() : nil
    _ringSize = Option(
      "ring-size", .bufferLength, default: "4000ms", group: .device,
      help: """
        How much is held when the output does not keep up, in samples per channel or as in 4000ms.
        """)
  }
}

/// The options of commands that ask a device for a rate.
struct RateOptions {
  @Option(
    "rate-policy", .choice(name: "policy"),
    default: "fail", group: .device,
    help: """
      Where the device does not give the rate of --rate: fail, or resample from the nearest that it has.
      """)
  var policy: RatePolicy
}

extension Console {
  /// How long samples may wait that nobody takes at once: as long as the status line does, else what a kill may cost of
  /// a file.
  var longestLatency: Duration { .milliseconds(showsStatus ? 100 : 500) }
}

extension AlsaOptions {
  /// The buffering, and what is done about gaps and rates, as the command line asks for it.
  init(_ buffering: BufferingOptions, _ timeline: TimelineRequest = TimelineRequest()) {
    self.init()
    ring = timeline.ringSize
    ratePolicy = timeline.rates?.policy ?? .fail
    gapPolicy = timeline.onXrun == .fail ? .fail : .fill
    lossPolicy = timeline.reopens ? .reopen : .fail
    period = buffering.periodSize
    buffer = buffering.bufferSize
    priority = buffering.priority
  }
}
