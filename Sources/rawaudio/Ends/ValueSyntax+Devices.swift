// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension ValueSyntax<SourceEndpoint> {
  /// A live source with its scheme, or the name of an ALSA PCM.
  static let recordingDevice = ValueSyntax(name: "name") { (text: String) throws(InvalidValue) in
    if text.isEmpty { throw InvalidValue("the name is empty") }
    let live = SourceEnds.all.filter { $0.liveness == .live }
    return try SourceEnds.parse(text, among: live).map { .end($0) } ?? .device(text)
  }.offering { text in
    deviceOffers(text, SourceEnds.all.filter { $0.liveness == .live })
  }
}

extension ValueSyntax<SinkEndpoint> {
  /// A live sink or `null:`, with its scheme, or the name of an ALSA PCM.
  static let playingDevice = ValueSyntax(name: "name") { (text: String) throws(InvalidValue) in
    if text.isEmpty { throw InvalidValue("the name is empty") }
    return try SinkEnds.parse(text, among: SinkEnds.playing).map { .end($0) } ?? .device(text)
  }.offering { text in
    deviceOffers(text, SinkEnds.playing)
  }
}

/// The completions of a live end, or of the name of an ALSA PCM, which needs no scheme.
private func deviceOffers(_ text: String, _ ends: [any SchemeEnd.Type]) -> [Offer] {
  if let end = ends.first(where: { text.hasPrefix($0.scheme) }) { return end.offers(text) }
  return Offer.devices
    + ends.filter { $0.scheme != AlsaSourceEnd.scheme }.flatMap { $0.offers(text) }
}
