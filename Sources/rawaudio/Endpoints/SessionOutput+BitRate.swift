// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Keeps the bit rate of lossy sources in an output of the same codec.
extension SessionOutput {
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
