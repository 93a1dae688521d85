// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension Container {
  /// The container for the extension of an output's name. WAV without an extension.
  ///
  /// - Parameter film: the only input, if it has moving pictures.
  /// - Throws: `unsupported` for an unknown extension.
  static func container(
    ofFile path: String, film: String? = nil
  ) throws(AudioError) -> Container {
    do {
      return try Container(outputPath: path)
    } catch {
      var error = error
      error.advice = advice(forOutput: path, film: film) ?? "say which with --type"
      throw error
    }
  }
}
