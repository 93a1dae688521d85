// SPDX-License-Identifier: Apache-2.0
internal import AudioJack
internal import AudioCore

/// `jack:PORTS` as a source: ports of a JACK server that give samples.
struct JackSourceEnd: SourceEnd {
  static let scheme = "jack:"
  static let usages = ["jack:PORTS for JACK"]
  static let noun = "a device"
  static let liveness = Liveness.live
  static let options = "name on-xrun rate-policy ring-size"
  let name: String
  private let request: PortRequest

  init(_ detail: String) throws(InvalidValue) {
    request = try portRequest(detail)
    name = Self.scheme + detail
  }

  static func offers(_ text: String) -> [Offer] { portOffers(text, for: .capture) }

  static func listing() -> EndListing? { JackGraph.present()?.listing }

  func source(_ request: SourceEndRequest) -> EndSource {
    .live(JackSource(self.request, device: name, options: JackOptions(request.device)))
  }
}

/// `jack:PORTS` as a sink: ports of a JACK server that take samples.
struct JackSinkEnd: SinkEnd {
  static let scheme = "jack:"
  static let usage = "jack:PORTS for JACK"
  static let isLive = true
  static let options = "buffer-size name"
  let name: String
  private let request: PortRequest

  init(_ detail: String) throws(InvalidValue) {
    request = try portRequest(detail)
    name = Self.scheme + detail
  }

  static func offers(_ text: String) -> [Offer] { portOffers(text, for: .playback) }

  func sink(_ request: DeviceRequest) -> EndSink {
    .live(JackSink(self.request, device: name, options: JackOptions(request)))
  }
}

extension JackOptions {
  fileprivate init(_ request: DeviceRequest) {
    self.init()
    clientName = request.clientName
    sampleRate = request.sampleRate
    ratePolicy = request.ratePolicy ?? .resample
    gapPolicy = request.gapPolicy
    lossPolicy = request.lossPolicy
    channelCount = request.channelCount
    buffer = request.buffer
    ring = request.ring
    latency = request.latency
  }
}

private func portRequest(_ text: String) throws(InvalidValue) -> PortRequest {
  guard let request = PortRequest(text) else {
    throw InvalidValue(
      "ports are names or regular expressions with commas between: jack:system:capture_1,Firefox:.*"
    )
  }
  return request
}

/// Looks for ports only if `text` begins with the scheme.
private func portOffers(_ text: String, for direction: DeviceDirection) -> [Offer] {
  let scheme = JackSourceEnd.scheme
  guard text.hasPrefix(scheme) else { return [.beginning(scheme, about: "ports of JACK")] }
  let before = text.lastIndex(of: ",").map { text[...$0] } ?? Substring(scheme)
  let ports = JackGraph.present()?.ports.filter { $0.direction == direction } ?? []
  let none: [Offer] = before == scheme ? [.word(scheme + "none", about: "connected by hand")] : []
  return ports.map { .word(before + $0.typedName, about: $0.isPhysical ? "physical" : "") } + none
}

extension JackPort {
  /// The name as an item of a list.
  fileprivate var typedName: String {
    name.reduce(into: "") { $0 += $1 == "," ? "\\," : String($1) }
  }
}

extension JackGraph {
  /// A line for each client and direction; an object for each port.
  fileprivate var listing: EndListing {
    var text = "jack:  ports of a JACK server, \(sampleRate) Hz, period \(period)\n"
    var lines: [(client: String, direction: DeviceDirection, names: [String])] = []
    for port in ports {
      let client = String(port.client)
      if let last = lines.last, last.client == client, last.direction == port.direction {
        lines[lines.count - 1].names.append(port.typedName)
      } else {
        lines.append((client, port.direction, [port.typedName]))
      }
    }
    for line in lines {
      text += "  \(line.direction.rawValue): \(line.names.joined(separator: ", "))\n"
    }
    return EndListing(text: text, json: ports.map(json))
  }

  private func json(_ port: JackPort) -> JSONValue {
    let offer = JSONValue.object([
      ("status", .string("available")), ("sampleRates", .array([.count(sampleRate)])),
      ("channelCounts", .array([.count(1)])),
      ("encodings", .array([.string(SampleEncoding.f32.rawValue)])),
    ])
    return .object([
      ("name", .string(JackSourceEnd.scheme + port.typedName)),
      ("description", .string(port.isPhysical ? "a physical port of JACK" : "a port of JACK")),
      ("isDefault", .boolean(false)), ("suggestedFor", .array([])),
      ("capture", port.direction == .capture ? offer : .null),
      ("playback", port.direction == .playback ? offer : .null),
    ])
  }
}
