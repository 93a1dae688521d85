// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// A text of the output, as given on a command line: `TITLE=Dawn`.
struct TagEdit: Sendable, Hashable {
  /// Upper case.
  var key: String
  /// Empty to remove the tag.
  var value: String
}

extension ValueSyntax<TagEdit> {
  static let tag = ValueSyntax(name: "key=value") { (text: String) throws(InvalidValue) in
    // A combining mark behind the sign makes one character of both.
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")),
      let name = Metadata.Tags.key(String(text[..<sign]))
    else {
      throw InvalidValue("it must be KEY=VALUE, as in TITLE=Dawn; KEY= removes the tag")
    }
    return TagEdit(
      key: Metadata.Tags.usualKey(of: name), value: String(text[text.utf8.index(after: sign)...]))
  }
}

/// A picture that becomes the front cover of the output. It is read once, for any number of outputs.
final class CoverFile: Sendable, Equatable {
  let path: String
  private let read = ReadOnce<Metadata.Picture>()

  init(path: String) { self.path = path }

  /// The picture of the file.
  ///
  /// - Parameter control: ends the wait for a pipe's data. Nil if no wait is ever ended.
  /// - Throws: `notFound`, `inputOutput`; `malformed` if it is no picture; `unsupported` if it is larger than every
  ///   container takes.
  func picture(until control: SessionControl?) throws(AudioError) -> Metadata.Picture {
    try read.content { () throws(AudioError) in
      let file = try FileDescriptor(reading: path, wakeup: control?.wakeup)
      let bytes = try file.nextBytes(Metadata.Picture.largestCover + 1)
      guard bytes.count <= Metadata.Picture.largestCover else {
        throw AudioError(
          .unsupported, cannot: "take as a cover", path,
          because: "it is larger than \(Metadata.Picture.largestCover >> 20) MiB",
          advice: "make it smaller; players show covers of up to 3000 x 3000 pixels")
      }
      guard let picture = Metadata.Picture(cover: bytes) else {
        throw AudioError(
          .malformed, cannot: "take as a cover", path,
          because: "it is no picture", advice: "give a JPEG, PNG, GIF or WebP file")
      }
      return picture
    }
  }

  static func == (first: CoverFile, second: CoverFile) -> Bool { first.path == second.path }
}

/// The content of a file that is read once, for any number of outputs. Any thread.
final class ReadOnce<Content: Sendable>: Sendable {
  private let known = Mutex<Content?>(nil)

  /// The content. An error of `read` is not kept.
  func content(_ read: () throws(AudioError) -> Content) throws(AudioError) -> Content {
    try known.withLock { (known) throws(AudioError) in
      if let known { return known }
      let content = try read()
      known = content
      return content
    }
  }
}
