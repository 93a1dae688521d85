// SPDX-License-Identifier: Apache-2.0
extension Container {
  /// The container of a file name's extension; nil if the extension is missing or unknown.
  public init?(fileName: String) {
    guard let name = fileName.fileExtension else { return nil }
    self.init(name: name)
  }

  /// The container of an output's extension; WAV without an extension.
  ///
  /// - Throws: `unsupported` for an unknown extension, without advice: the command and the library advise differently.
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
        : "nothing here encodes the type its extension names")
  }
}

extension FileFormat {
  /// The format of an output, chosen as the command does: ``Container/init(fileName:)``, or WAV without an extension.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which need not exist.
  ///   - encoding: nil = ``Container/defaultEncoding(for:)`` of s16, the command's choice without a source.
  /// - Throws: `unsupported` for an unknown extension, naming known ones; the errors of ``init(_:_:byteOrder:isPadded:)``.
  public init(path: String, encoding: SampleEncoding? = nil) throws(AudioError) {
    let container: Container
    do {
      container = try Container(outputPath: path)
    } catch {
      var error = error
      error.advice = "end it with one of \(Self.usualExtensions)"
      if Container.advice(forOutput: path) != nil {
        error.reason = "libsndfile does not write the type its extension names"
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

extension String {
  /// The characters behind the last dot of a file's name, in lower case; nil without a dot.
  package var fileExtension: String? {
    let last = utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
    let parts = last.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts.last?.lowercased() : nil
  }

  /// A file's name without its folder and without its extension.
  package var fileStem: String {
    let last = utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? self
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
