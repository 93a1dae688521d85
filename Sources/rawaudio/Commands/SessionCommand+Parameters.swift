internal import AudioCore

extension SessionCommand {
  static let local = Option(
    "local", .source(name: "source"), help: "The source that passes record, with the id local.")
  static let remote = Option(
    "remote", .remoteSource,
    help: """
      A source that passes before-mixing (repeatable). Its id is its place among the remote sources, \
      from 1, unless one is named: anna=a.wav, room/anna=a.wav.
      """)
  static let shared = Option(
    "shared", .sharedSource,
    help: "The same for a source that everybody shares; its id is shared unless one is named.")
  static let publish = Option("publish", .sink, help: "Where the local source goes to.")
  static let playback = Option(
    "playback", .sink, help: "Where the sum of the remote and shared sources goes to.")
  static let mixed = Option("mixed", .sink, help: "Where record and playback together go to.")
  static let duration = Option(
    "duration", short: "d", .length, default: "to the end of the last source",
    help: """
      How long, of the local source and of the sum: [[h:]m:]s[.frac], or samples as in 48000s.
      """)
  static let force = Flag("force", group: .output, help: "Replace existing files.")
  static let rate = Option(
    "rate", short: "r", .sampleRate, default: "the highest among the sources", group: .output,
    help: "Sample rate of the sums and of every file.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the largest count among the sources",
    group: .output, help: "Channels of the sums and of every file.")

  static let sinks = [
    (SinkPlace.publish, publish), (.playback, playback), (.mixed, mixed),
  ]

  static let parameters: [any Declared] =
    [local, remote, shared, publish, playback, mixed, duration]
    + ProcessingOptions.conversionParameters + [TimelineOptions.json] + InputOptions.parameters
    + [force, OutputOptions.type, rate, channels, OutputOptions.format]
    + [DeviceOptions.periodSize, DeviceOptions.bufferSize, DeviceOptions.priority]
    + TimelineOptions.sessionParameters
    + ObserverOptions.parameters(at: [.record, .beforeMixing, .playback, .mixed])
}
