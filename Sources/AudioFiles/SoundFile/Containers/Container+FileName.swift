// SPDX-License-Identifier: Apache-2.0
extension Container {
  /// The container that the extension of a file's name asks for; nil where it has none or an unknown one.
  public init?(fileName: String) {
    let last = fileName.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
    let parts = last.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let suffix = parts.last else { return nil }
    self.init(name: String(suffix))
  }

  /// The container of an output by the extension of its name; WAV without an extension.
  ///
  /// - Throws: `unsupported` for an unknown extension, without advice: the command's is not the library's.
  package init(outputPath path: String) throws(AudioError) {
    if let container = Container(fileName: path) {
      self = container
      return
    }
    let name = path.split(separator: "/").last ?? ""
    // A leading dot hides a file; it does not begin an extension.
    guard name.dropFirst().contains(".") else {
      self = .wav
      return
    }
    throw AudioError(
      .unsupported, cannot: "write to", path,
      because: Self.advice(forOutput: path) == nil
        ? "its extension names no type of sound file"
        : "nothing here encodes what its extension names")
  }

  /// The advice for an output whose name asks for a container that cannot be written; nil if the name is unknown.
  ///
  /// - Parameter film: the only input, where that has moving pictures.
  package static func advice(forOutput path: String, film: String? = nil) -> String? {
    ForeignContainer.advice(forOutput: path, film: film)
  }
}

extension FileFormat {
  /// The format of an output by the extension of its name, as the command chooses it: ``Container/init(fileName:)``, and
  /// WAV where the name has no extension.
  ///
  /// - Parameters:
  ///   - path: of the file, which need not exist.
  ///   - encoding: how the samples are stored; nil = ``Container/defaultEncoding(for:)`` of s16, which is the command's
  ///     where no source says anything else.
  /// - Throws: `unsupported` for an unknown extension, naming known ones, and as ``init(_:_:byteOrder:)``.
  public init(path: String, encoding: SampleEncoding? = nil) throws(AudioError) {
    let container: Container
    do {
      container = try Container(outputPath: path)
    } catch {
      var error = error
      error.advice = "end it with one of \(Self.usualExtensions)"
      if Container.advice(forOutput: path) != nil {
        error.reason = "libsndfile writes nothing of what its extension names"
        error.advice = "use EncodedFileSink, which ffmpeg encodes for, or another extension"
      }
      throw error
    }
    try self.init(container, encoding ?? container.defaultEncoding(for: .widest([])))
  }

  private static var usualExtensions: String {
    let usual = Container.allCases.filter { $0.isUsual && !$0.row.isReadOnly }
    return usual.map { ".\($0.rawValue)" }.joined(separator: ", ")
  }
}
