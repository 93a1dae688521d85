// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension Container {
  /// The container by the extension of a file's name; WAV without an extension.
  ///
  /// - Parameter film: the only input, where that has moving pictures.
  /// - Throws: `unsupported` for an unknown extension.
  static func container(
    ofFile path: String, film: String? = nil
  ) throws(AudioError) -> Container {
    if let container = Container(fileName: path) { return container }
    let name = path.split(separator: "/").last ?? ""
    // A leading dot hides a file; it does not begin an extension.
    guard name.dropFirst().contains(".") else { return .wav }
    if let advice = Container.advice(forOutput: path, film: film) {
      throw AudioError(
        .unsupported, cannot: "write to", path,
        because: "nothing here encodes what its extension names",
        advice: advice)
    }
    throw AudioError(
      .unsupported, cannot: "write to", path, because: "its extension names no type of sound file",
      advice: "say which with --type")
  }
}
