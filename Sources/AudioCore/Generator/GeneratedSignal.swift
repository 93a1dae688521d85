/// What a generated source plays, computed block after block in double precision.
protocol GeneratedSignal {
  /// Writes the next whole block of interleaved samples.
  ///
  /// - Parameter index: of the block's first sample, in samples per channel since the start: always
  ///   the multiple of the block's length that follows the one before.
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64)
}

/// The amplitude of a generated signal that names none: −3 dBFS.
public let defaultSignalAmplitude = 0.707_945_784_384_137_9
