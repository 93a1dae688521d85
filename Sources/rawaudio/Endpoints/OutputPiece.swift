// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A complete piece of an output's stream: a part, or an event without a file of its own.
struct OutputPiece {
  /// In samples per channel of the stream.
  var samples: Range<Int64>
  /// The samples per channel from the start that the piece before has, too.
  var overlap: Int64 = 0
  /// Nil without a file.
  var path: String?
  var clippedSamples = 0
  /// The moment of its first sample, in nanoseconds since 1970. Nil if unknown.
  var time: Int64?
  /// The MD5 of the samples, in hexadecimal digits. Nil if it was not asked for.
  var digest: String?

  init(_ part: SplittingSink.Part) {
    samples = part.position..<part.position + part.samplesPerChannel
    (overlap, path, clippedSamples) = (part.overlap, part.path, part.clippedSamples)
    digest = part.digest?.hexadecimal.lowercased()
    time = part.time
  }

  /// A file of one channel.
  init(wholeOf path: String, samplesPerChannel: Int64, _ file: SoundFileSink) {
    samples = 0..<samplesPerChannel
    self.path = path
    clippedSamples = file.clippedSamples
    digest = file.sampleDigest?.hexadecimal.lowercased()
  }

  init(_ part: CuttingSink.Part) { (samples, overlap) = (part.samples, part.overlap) }

  init(_ event: TriggeredSink.Event) { samples = event.samples }
}

/// Collects the pieces of an output, and writes their labels.
///
/// On the thread that writes the output.
final class PieceCollector {
  /// Nil if none were asked for.
  private let labels: LabelFile?
  private let keepsPieces: Bool
  private(set) var pieces: [OutputPiece] = []
  private(set) var failure: AudioError?
  private var count = 0

  /// - Parameter keepsPieces: whether ``pieces`` are kept. Those of a recording have no end.
  init(_ labels: LabelFile?, keepsPieces: Bool) {
    self.labels = labels
    self.keepsPieces = keepsPieces
  }

  /// Runs the work. If it fails before the first piece, no table stays.
  func run(_ work: () throws -> ExitCode) rethrows -> ExitCode {
    do {
      let code = try work()
      if code == .failure { labels?.removeIfEmpty() }
      return code
    } catch {
      labels?.removeIfEmpty()
      throw error
    }
  }

  /// - Parameters:
  ///   - source: the name of the source.
  ///   - origin: the place of the stream's first sample in the source, in seconds.
  ///   - sampleRate: of the stream, in hertz.
  ///   - time: the time of day of the piece's first sample. Nil if unknown.
  func add(
    _ piece: OutputPiece, of source: String?, from origin: Double, at sampleRate: Int,
    time: String?
  ) {
    count += 1
    if keepsPieces { pieces.append(piece) }
    func seconds(_ samples: Int64) -> Double { Double(samples) / Double(sampleRate) }
    do throws(AudioError) {
      try labels?.write(
        LabelFile.Row(
          source: source, start: origin + seconds(piece.samples.lowerBound),
          end: origin + seconds(piece.samples.upperBound), overlap: seconds(piece.overlap),
          output: piece.path, time: time, number: count))
    } catch {
      failure = failure ?? error
    }
  }
}

extension RecordingRequest {
  /// Opens the table of the parts or events. Nil if none was asked for.
  ///
  /// - Parameter existing: the handling of an existing table. Nil = a log, which goes on behind its rows.
  func openLabels(_ existing: ExistingOutput?) throws(AudioError) -> LabelFile? {
    guard let labels else { return nil }
    guard let existing = existing ?? (isRegularFile(labels.path) == false ? .skip : nil) else {
      return try LabelFile(log: labels.path, labels.format, in: civilTime)
    }
    let path = try LogNames(labels.path, in: civilTime).present()
    return try LabelFile(path: path, labels.format, existing)
  }
}
