// SPDX-License-Identifier: Apache-2.0
/// The pictures of a file that ffmpeg decodes: streams of one picture each, which it copies.
struct DecodedPictures: Sendable {
  /// A picture's stream, from 0 among all streams of the file, and its texts.
  struct Stream: Sendable {
    let index: Int
    let texts: [(name: String, value: String)]
  }

  let streams: [Stream]

  /// The most pictures that are read: each takes a process.
  private static let most = 16

  /// - Parameter streams: all streams, as ffprobe reports them.
  init(_ streams: [JSONValue]) {
    self.streams = streams.enumerated().filter { $0.element.isCover }.map {
      Stream(index: $0.offset, texts: $0.element["tags"]?.texts ?? [])
    }
  }

  /// Reads the pictures. Any thread.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - demuxer: ffmpeg's demuxer for it.
  /// - Returns: the pictures, and the number of those that were not read.
  /// - Throws: `notFound` if there is no ffmpeg; `interrupted`.
  func read(
    from path: String, _ demuxer: String, wakeup: Wakeup?
  ) throws(AudioError) -> (pictures: [Metadata.Picture], unread: Int) {
    var pictures: [Metadata.Picture] = []
    for stream in streams.prefix(Self.most) {
      let words = ["-map", "0:\(stream.index)", "-c", "copy", "-f", "image2pipe", "pipe:1"]
      let arguments =
        ["-nostdin", "-v", "error"].map { Pathname($0) } + DecodedContainer.input(path, demuxer)
        + words.map { Pathname($0) }
      let answer = try CommandOutput(
        of: FFmpeg.program, arguments, atMost: Metadata.largestChunk, wakeup: wakeup)
      var picture = Metadata.Picture(of: answer.output[...], Self.kind(stream.texts))
      guard answer.ending.isSuccess, !picture.mediaType.isEmpty else { continue }
      picture.measure()
      pictures.append(picture)
    }
    return (pictures, streams.count - pictures.count)
  }

  /// The subject. ffmpeg gives a picture of ID3 the comment `Cover (back)`, and one of Matroska its
  /// file's name, such as `cover.jpg`.
  private static func kind(_ texts: [(name: String, value: String)]) -> Metadata.Picture.Kind {
    let isBack = texts.contains { name, value in
      ["comment", "filename", "title"].contains(name.lowercased())
        && value.lowercased().place(of: "back") != nil
    }
    return isBack ? .backCover : .frontCover
  }
}
