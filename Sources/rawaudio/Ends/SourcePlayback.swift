// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The sink of the sum that one source hears: `[GROUP/]ID=SINK`.
struct SourcePlayback: Sendable, Equatable {
  var key: SourceKey
  var sink: SinkEndpoint

  var place: SinkPlace { .playbackOf(key) }
}

extension ValueSyntax<SourcePlayback> {
  /// `anna=heard.wav`, `room/anna=heard.wav`, `local=-`.
  static let sourcePlayback = ValueSyntax(name: "[group/]id=sink") {
    (text: String) throws(InvalidValue) in
    guard let equals = text.firstIndex(of: "=") else {
      throw InvalidValue("it has no source; write anna=heard.wav")
    }
    let sink = try ValueSyntax<SinkEndpoint>.sink.parse(
      String(text[text.index(after: equals)...]))
    guard !sink.isLive else {
      throw InvalidValue("a device cannot play it; give it a file or a pipe")
    }
    return SourcePlayback(key: try SourceKey(named: text[..<equals]), sink: sink)
  }.offering { text in
    guard let equals = text.firstIndex(of: "=") else { return [] }
    let value = text.index(after: equals)
    return ValueSyntax<SinkEndpoint>.sink.offers(for: String(text[value...])).map {
      $0.behind(String(text[..<value]))
    }
  }
}
