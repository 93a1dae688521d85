// SPDX-License-Identifier: Apache-2.0
extension FileSource {
  /// The facts of a file without its samples: ``FileSource/information(path:)``.
  public struct Information: Sendable {
    public let format: StreamFormat
    /// Of the samples in the file.
    public let encoding: SampleEncoding
    /// Nil if it is not known before all samples are read.
    public let samplesPerChannel: Int64?
    /// Texts, marks, pictures and the origin of the recording.
    public let metadata: Metadata
    /// The missing length of a file that is shorter than it states.
    public let truncation: Truncation?

    /// Nil if ``samplesPerChannel`` is.
    public var duration: Duration? {
      samplesPerChannel.map { .samples(Int($0), at: format.sampleRate) }
    }
  }

  /// Reads the facts of a file. Any thread.
  ///
  /// - Throws: the errors of ``initialize(proposing:wakeup:)`` and of ``metadata()``.
  public static func information(path: String) throws(AudioError) -> Information {
    let source = FileSource(path: path)
    defer { source.dispose() }
    let description = try source.initialize(proposing: nil, wakeup: Wakeup())
    return Information(
      format: description.format, encoding: description.encoding,
      samplesPerChannel: description.samplesPerChannel,
      metadata: try source.metadata() ?? Metadata(), truncation: source.truncation)
  }
}
