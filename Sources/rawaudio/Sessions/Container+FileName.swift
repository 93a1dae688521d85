internal import AudioCore

extension Container {
  /// The container that a file's name asks for; WAV where it has no extension.
  ///
  /// - Throws: `unsupported` for an extension that means nothing.
  static func container(ofFile path: String) throws(AudioError) -> Container {
    if let container = Container(fileName: path) { return container }
    let name = path.split(separator: "/").last ?? ""
    // A leading dot hides a file; it does not begin an extension.
    guard name.dropFirst().contains(".") else { return .wav }
    throw AudioError(
      .unsupported, cannot: "write to", path, because: "its extension names no type of sound file",
      advice: "say which with --type")
  }
}
