// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// `alsa:NAME` as a source: an ALSA PCM that records.
struct AlsaSourceEnd: SourceEnd {
  static let scheme = "alsa:"
  static let usages = ["alsa:NAME for a device"]
  static let noun = "a device"
  static let liveness = Liveness.live
  static let options = "period-size buffer-size priority on-xrun rate-policy ring-size"
  static let canRest = true
  let name: String

  init(_ detail: String) throws(InvalidValue) { name = try deviceName(detail) }

  fileprivate init(named name: String) { self.name = name }

  static func offers(_ text: String) -> [Offer] { deviceOffers(text, for: .capture) }

  func source(_ request: SourceEndRequest) -> EndSource {
    let source = AlsaSource(device: name, options: AlsaOptions(request.device))
    source.isNeeded = request.device.isNeeded
    return .live(source)
  }
}

/// `alsa:NAME` as a sink: an ALSA PCM that plays.
struct AlsaSinkEnd: SinkEnd {
  static let scheme = "alsa:"
  static let usage = "alsa:NAME for a device"
  static let options = "period-size buffer-size priority"
  static let isLive = true
  let name: String

  init(_ detail: String) throws(InvalidValue) { name = try deviceName(detail) }

  fileprivate init(named name: String) { self.name = name }

  static func offers(_ text: String) -> [Offer] { deviceOffers(text, for: .playback) }

  func sink(_ request: DeviceRequest) -> EndSink {
    .live(AlsaSink(device: name, options: AlsaOptions(request)))
  }
}

extension AlsaOptions {
  fileprivate init(_ request: DeviceRequest) {
    self.init()
    sampleRate = request.sampleRate
    ratePolicy = request.ratePolicy ?? .fail
    gapPolicy = request.gapPolicy
    lossPolicy = request.lossPolicy
    channelCount = request.channelCount
    encoding = request.encoding
    preferredEncoding = request.preferredEncoding
    period = request.period
    buffer = request.buffer
    ring = request.ring
    latency = request.latency
    priority = request.priority
  }
}

extension SourceEndpoint {
  static func device(_ name: String) -> SourceEndpoint { .end(AlsaSourceEnd(named: name)) }
}

extension SinkEndpoint {
  static func device(_ name: String) -> SinkEndpoint { .end(AlsaSinkEnd(named: name)) }
}

private func deviceName(_ text: String) throws(InvalidValue) -> String {
  if text.isEmpty { throw InvalidValue("a device is written with its name: alsa:default") }
  return text
}

extension Offer {
  /// The names of all ALSA PCMs, without the scheme.
  static var devices: [Offer] {
    AlsaDevices.announced().map { .word($0.name, about: $0.description) }
  }
}

/// Looks for devices only if `text` begins with the scheme.
private func deviceOffers(_ text: String, for direction: DeviceDirection) -> [Offer] {
  let scheme = AlsaSourceEnd.scheme
  guard text.hasPrefix(scheme) else { return [.beginning(scheme, about: "a device")] }
  return AlsaDevices.announced().filter { $0.answer(to: direction) != nil }
    .map { .word(scheme + $0.name, about: $0.description) }
}
