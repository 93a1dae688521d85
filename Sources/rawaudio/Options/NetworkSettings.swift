// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioNetwork

/// The requests of a command line to a stream of a network. Nil members are left to the sender.
struct NetworkSettings {
  @Option(
    "jitter", .time(upTo: .seconds(2)), default: "200ms", group: .network,
    help: "How long a missing packet of a network is waited for.")
  var jitter: Duration?
  @Option(
    "timeout", .time(upTo: .seconds(3_600)), default: "10s", group: .network,
    help: "How long a network may be silent before its sender counts as lost.")
  var timeout: Duration?
  @Option(
    "payload", .payload, group: .network,
    help: "Format of the packets of rtp:// if that states none, as in l24/48000/2.")
  var payload: PayloadFormat?
  @Option(
    "transport", .choice(name: "way"), default: "tcp", group: .network,
    help: "Way of the packets of rtsp://: tcp, or udp.")
  var transport: NetworkOptions.Transport?
  @Flag(
    "own-time", group: .network,
    help: "Take the time of day from this machine, and not from the sender of a network.")
  var usesOwnTime: Bool
  @Option(
    "stream", .streamOfSound, group: .network,
    help: "Stream of sound of a description or of rtsp://; 1 is the first.")
  var stream: Int?
  @Option(
    "interface", .text(name: "name"), group: .network,
    help: "Interface at which rtp: joins a multicast group, as in eth1.")
  var interface: String?
  @Option(
    "credentials", .path(name: "file"), group: .network,
    help: "File with the line USER:PASSWORD for rtsp://.")
  var credentials: String?
}

extension NetworkOptions {
  init(_ settings: NetworkSettings) {
    self.init()
    jitter = settings.jitter
    timeout = settings.timeout ?? timeout
    payload = settings.payload
    transport = settings.transport ?? transport
    usesOwnTime = settings.usesOwnTime
    stream = settings.stream
    interface = settings.interface
  }
}

extension ValueSyntax<Duration> {
  fileprivate static func time(upTo limit: Duration) -> Self {
    ValueSyntax(name: "time") { (text: String) throws(InvalidValue) in
      let time = try duration.parse(text)
      if time <= limit { return time }
      throw InvalidValue("at most \(limit.components.seconds)s are allowed")
    }
  }
}

extension ValueSyntax<PayloadFormat> {
  fileprivate static let payload = ValueSyntax(name: "format") {
    (text: String) throws(InvalidValue) in
    guard let format = PayloadFormat(name: text) else {
      if PayloadFormat.needsDescription(text) {
        throw InvalidValue("AAC needs a session description: rtp:studio.sdp")
      }
      let names = PayloadFormat.Encoding.allCases.map(\.rawValue).filter {
        !PayloadFormat.needsDescription($0)
      }.joinedAsAlternatives
      throw InvalidValue("a format is \(names), a rate and a channel count: l24/48000/2")
    }
    return format
  }
}

extension ValueSyntax<Int> {
  fileprivate static let streamOfSound = integer(
    name: "number", in: 1...SessionDescription.mostMedia, called: "a stream of sound")
}
