// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// `alsa:NAME` as a source: an ALSA PCM that records.
struct AlsaSourceEnd: SourceEnd {
  static let scheme = "alsa:"
  static let usages = ["alsa:NAME for a device"]
  static let noun = "a device"
  static let isLive = true
  let name: String

  init(_ detail: String) throws(InvalidValue) { name = try deviceName(detail) }

  fileprivate init(named name: String) { self.name = name }

  static func offers(_ text: String) -> [Offer] { deviceOffers(text, for: .capture) }

  func source(_ request: SourceEndRequest) -> any AudioSource {
    AlsaSource(device: name, options: request.device)
  }
}

/// `alsa:NAME` as a sink: an ALSA PCM that plays.
struct AlsaSinkEnd: SinkEnd {
  static let scheme = "alsa:"
  static let usage = "alsa:NAME for a device"
  static let isLive = true
  let name: String

  init(_ detail: String) throws(InvalidValue) { name = try deviceName(detail) }

  fileprivate init(named name: String) { self.name = name }

  static func offers(_ text: String) -> [Offer] { deviceOffers(text, for: .playback) }

  func sink(_ options: AlsaOptions) -> any AudioSink { AlsaSink(device: name, options: options) }
}

extension AlsaSource: LiveSource {}
extension AlsaSink: LiveSink {}

extension SourceEndpoint {
  static func device(_ name: String) -> SourceEndpoint { .end(AlsaSourceEnd(named: name)) }
}

extension SinkEndpoint {
  static func device(_ name: String) -> SinkEndpoint { .end(AlsaSinkEnd(named: name)) }
}

extension ValueSyntax<String> {
  /// The name of an ALSA PCM, with or without `alsa:`.
  static let deviceName = ValueSyntax(name: "name") { (text: String) throws(InvalidValue) in
    if text.isEmpty { throw InvalidValue("the name is empty") }
    let scheme = AlsaSourceEnd.scheme
    guard text.hasPrefix(scheme) else { return text }
    return try rawaudio.deviceName(String(text.dropFirst(scheme.count)))
  }.offering { text in
    let devices = AlsaDevices.announced().map { Offer.word($0.name, about: $0.description) }
    let scheme = AlsaSourceEnd.scheme
    return text.hasPrefix(scheme) ? devices.map { $0.behind(scheme) } : devices
  }
}

private func deviceName(_ text: String) throws(InvalidValue) -> String {
  if text.isEmpty { throw InvalidValue("a device is written with its name: alsa:default") }
  return text
}

/// Looks for devices only if `text` begins with the scheme.
private func deviceOffers(_ text: String, for direction: DeviceDirection) -> [Offer] {
  let scheme = AlsaSourceEnd.scheme
  guard text.hasPrefix(scheme) else { return [.beginning(scheme, about: "a device")] }
  return AlsaDevices.announced().filter { $0.answer(to: direction) != nil }
    .map { .word(scheme + $0.name, about: $0.description) }
}
