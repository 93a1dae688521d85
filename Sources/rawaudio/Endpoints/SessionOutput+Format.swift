// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Chooses the format of a file, and the settings of its codec.
extension SessionOutput {
  /// The container for the extension of the output's name. WAV without an extension.
  ///
  /// - Throws: `unsupported` for an unknown extension.
  private func container(byNameOf path: String) throws(AudioError) -> Container {
    do throws(AudioError) {
      return try Container(outputPath: path)
    } catch {
      var error = error
      error.advice =
        adviceOnFilms(path) ?? Container.advice(forOutput: path, film: setting.input?.film)
        ?? "say which with --type"
      throw error
    }
  }

  /// The advice if a video of several inputs cannot be written. Nil without one.
  private func adviceOnFilms(_ path: String) -> String? {
    guard setting.inputs.count > 1, !setting.films.isEmpty, Container.isVideo(path) else {
      return nil
    }
    return setting.isSum
      ? "the pictures go along into mp4, mov, mkv and webm"
      : "videos are not joined; write the sound alone, such as to sound.m4a"
  }

  /// The format that was asked for; else the container by the file's name and the encoding by the sources.
  func format(
    _ path: String, _ sources: SinkRequest
  ) throws(AudioError) -> FileFormat {
    let container =
      if let asked = request.container { asked } else {
        try container(byNameOf: request.typedName(path))
      }
    let format: FileFormat
    if let encoding = request.encoding {
      format = try FileFormat(
        container, encoding.encoding, byteOrder: encoding.byteOrder, isPadded: encoding.isPadded)
    } else {
      let stored = SampleEncoding.widest(sources.encodings)
      format = try FileFormat(container, for: stored)
      let isOfSource = setting.inputs.contains { $0.file?.soundFile.container == container }
      if isOfSource, stored.isLossy, stored != format.encoding, container.canWrite(stored) {
        decoded = stored
      }
    }
    return try format.encoded(with: encoder(for: format.encoding.lossyCodec))
  }

  /// The settings of the line. Without a bit rate or quality there, they keep the rate of the sources, or of the sound
  /// that is replaced.
  ///
  /// - Parameters:
  ///   - codec: ffmpeg's name of it. Nil for an encoding without bit rates.
  ///   - film: the video whose sound is replaced. Nil if there is none.
  func encoder(
    for codec: String?, replacingSoundOf film: FilmTarget? = nil
  ) throws(AudioError) -> EncoderSettings {
    var settings = request.encoder
    guard let codec, settings.bitRate == nil, settings.quality == nil else { return settings }
    if let film {
      settings.kept = codec == film.codec ? try film.lossyCoding(until: control) : nil
    } else {
      let files = setting.inputs.compactMap(\.file)
      settings.kept = .highest(
        of: try files.map { (file) throws(AudioError) in try file.lossyCoding() }, in: codec)
    }
    kept = settings.kept
    return settings
  }

  /// The note about a bit rate that the output could not keep; nil if it has the source's.
  ///
  /// - Parameter format: of the output.
  func bitRateNote(_ format: StreamFormat) -> String? {
    guard let kept, let reached = try? kept.reached(in: format) else { return nil }
    let (had, has) = (kept.kilobits, LossyCoding.kilobits(reached))
    return had == has
      ? nil
      : "'\(name)' has \(has) kbit/s, and its source \(had): \(kept.codec) goes no nearer at"
        + " \(format)"
  }
}
