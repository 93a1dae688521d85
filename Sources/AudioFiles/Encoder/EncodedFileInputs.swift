// SPDX-License-Identifier: Apache-2.0
/// The texts and the cover of a file that ffmpeg writes, as inputs behind that of its sound.
struct EncodedFileInputs {
  private let container: EncodedContainer
  private let texts: FileDescriptor?
  private let cover: (file: FileDescriptor, kind: String)?
  private let language: String?

  init(of written: EncodedMetadata, for container: EncodedContainer) throws(AudioError) {
    self.container = container
    language = written.language
    if let text = written.text {
      texts = try SpooledFile.holding(Array(text.utf8), named: FFmpeg.program)
    } else {
      texts = nil
    }
    if let (bytes, kind) = written.cover {
      cover = (try SpooledFile.holding(bytes, named: FFmpeg.program), kind)
    } else {
      cover = nil
    }
  }

  /// The arguments behind the first input.
  ///
  /// - Parameter sound: ffmpeg's name of its stream of sound: `0:a:0`.
  func arguments(behind sound: String) -> [String] {
    var words: [String] = []
    if let texts { words += ["-f", "ffmetadata", "-i", "file:" + texts.pathForOthers] }
    words += coverInput(of: texts == nil ? 1 : 2)
    if texts != nil { words += ["-map_metadata", "1", "-map_chapters", "1"] }
    words += ["-map", sound]
    if let language { words += ["-metadata:s:a:0", "language=\(language)"] }
    return words
  }

  /// - Parameter input: the number of the cover among the inputs.
  private func coverInput(of input: Int) -> [String] {
    guard let (file, kind) = cover else { return [] }
    let path = "file:" + file.pathForOthers
    switch container.metadataSupport.cover {
    case nil: return []
    case .asStream:
      return [
        "-f", "\(kind)_pipe", "-i", path, "-map", "\(input):v:0", "-c:v", "copy",
        "-disposition:v:0", "attached_pic",
      ]
    case .asAttachment:
      return [
        "-attach", path, "-metadata:s:t:0", "mimetype=image/\(kind)", "-metadata:s:t:0",
        "filename=cover.\(kind == "jpeg" ? "jpg" : kind)",
      ]
    }
  }
}
