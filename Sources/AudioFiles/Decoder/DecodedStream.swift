// SPDX-License-Identifier: Apache-2.0
/// A stream of a file that ffmpeg decodes, as reported by ffprobe.
package struct DecodedStream: Sendable {
  /// `audio`, `video`, `subtitle`, `data`, `attachment`.
  package let kind: String
  /// ffmpeg's name of the codec; empty if it knows none.
  package let codecName: String
  /// The language of the stream, if the file states one.
  package let language: String?
  /// The title of the stream, if the file states one.
  package let title: String?

  init(_ stream: JSONValue) {
    kind = stream["codec_type"]?.text ?? "data"
    codecName = stream["codec_name"]?.text ?? ""
    let tags = stream["tags"]?.texts ?? []
    func text(_ name: String) -> String? { tags.first { $0.name.lowercased() == name }?.value }
    language = text("language").flatMap { $0 == "und" ? nil : $0 }
    title = text("title")
  }
}

extension AudioError {
  /// The error for a missing sound track.
  static func lacks(track: Int, of count: Int, in name: String) -> AudioError {
    AudioError(
      .unsupported, cannot: "take sound track \(track) of", name,
      because: count == 1 ? "it has one" : "it has \(count)")
  }
}
