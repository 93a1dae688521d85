// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// For how much longer there is room for a recording.
final class DiskRoom: RunReader {
  private let command: CommandSession
  /// The folder of the output; nil if nothing is recorded into a file.
  private var folder: Pathname?
  private var recordings: [RecordingGrowth] = []
  private var lookedAt: Int64 = .min
  private var seconds: Double?

  init(of command: CommandSession) { self.command = command }

  func take(_ event: RunEvent, in log: RunLog) {
    guard case .started(let summary) = event else { return }
    for sink in summary.sinks {
      guard let output = command.outputs[sink.place], output.isRecording,
        case .file(let path) = output.request.sink, output.request.sink.isExclusive
      else { continue }
      // Folders of a pattern come and go.
      let names = output.request.recording.names
      folder = names.map { Pathname($0.folder) } ?? Pathname(path).directory
      recordings.append(RecordingGrowth(of: output, path, sink.format))
    }
  }

  /// The room is looked up once a second. The corresponding C function is `statvfs`.
  ///
  /// - Parameters:
  ///   - now: a clock in milliseconds.
  ///   - length: how much was recorded so far, in seconds.
  /// - Returns: nil where nothing is recorded, or it is not known yet how fast the files grow.
  func seconds(at now: Int64, recorded length: Double) -> Double? {
    for index in recordings.indices { recordings[index].look(recorded: length) }
    guard lookedAt == .min || now - lookedAt >= 1_000 else { return seconds }
    lookedAt = now
    seconds = free.flatMap { free in bytesPerSecond.map { free / $0 } }
    return seconds
  }

  /// The growth of all files; nil if that of one is not known.
  private var bytesPerSecond: Double? {
    let speeds = recordings.compactMap(\.bytesPerSecond)
    let sum = speeds.reduce(0, +)
    return speeds.count == recordings.count && sum > 0 ? sum : nil
  }

  /// Bytes that the folder has room for.
  var free: Double? {
    var status = statvfs()
    guard let folder, unsafe statvfs(folder.cString, &status) == 0 else { return nil }
    return Double(status.f_bavail) * Double(status.f_frsize)
  }
}

/// How fast a recording grows: known where every sample has its size, else by how it has grown.
struct RecordingGrowth {
  private enum Measure {
    /// Bytes a second.
    case known(Double)
    /// By the size of the file.
    case file(Pathname)
    /// By the last part that is complete; its samples per channel are at this rate.
    case parts(SessionOutput, sampleRate: Int)
  }

  /// The file when it had grown.
  private struct Look {
    var seconds: Double
    var bytes: Int64
  }

  /// One write may last a second, so shorter stretches say nothing.
  private static let shortest = 2.0
  /// Old stretches say little.
  private static let window = 30.0
  private let measure: Measure
  /// The first two are at least half a minute apart, once there were two.
  private var looks: (first: Look, second: Look, last: Look)?

  /// - Parameter path: of the output.
  init(of output: SessionOutput, _ path: String, _ format: StreamFormat) {
    let file = output.soundFileFormat
    if let file, let size = file.encoding.bytesPerSample,
      file.container.storesPlainSamples(file.encoding)
    {
      measure = .known(Double(size * format.channelCount * format.sampleRate))
    } else if output.completedPartCount != nil {
      measure = .parts(output, sampleRate: format.sampleRate)
    } else {
      measure = .file(Pathname(path))
    }
  }

  /// Sees whether the file has grown; to be called often.
  ///
  /// - Parameter length: how much was recorded so far, in seconds.
  mutating func look(recorded length: Double) {
    guard case .file(let path) = measure, let bytes = path.fileSize,
      bytes != looks?.last.bytes
    else { return }
    let now = Look(seconds: length, bytes: bytes)
    guard let old = looks else {
      looks = (now, now, now)
      return
    }
    let isLong = length - old.second.seconds >= Self.window
    looks = isLong ? (old.second, now, now) : (old.first, old.second, now)
  }

  /// Nil where nobody knows yet.
  var bytesPerSecond: Double? {
    switch measure {
    case .known(let speed): return speed
    case .parts(let output, let sampleRate):
      guard let part = output.lastPart, part.samplesPerChannel > 0,
        let bytes = Pathname(part.path).fileSize
      else { return nil }
      return Double(bytes) * Double(sampleRate) / Double(part.samplesPerChannel)
    case .file:
      guard let looks, looks.last.seconds - looks.first.seconds >= Self.shortest else {
        return nil
      }
      let bytes = looks.last.bytes - looks.first.bytes
      return max(0, Double(bytes)) / (looks.last.seconds - looks.first.seconds)
    }
  }
}
