// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// The remaining recording time on the disk.
final class DiskRoom: RunReader {
  private let command: CommandSession
  /// The folder of the output. Nil if no file is recorded.
  private var folder: Pathname?
  private var recordings: [RecordingGrowth] = []
  private var lookedAt: Int64 = .min
  private var seconds: Double?

  init(of command: CommandSession) { self.command = command }

  func take(_ event: RunEvent, in log: RunLog) {
    guard case .started(let summary) = event else { return }
    for sink in summary.sinks {
      guard let output = command.outputs[sink.place], output.isRecording,
        case .file(let path) = output.plan.sink, output.plan.sink.isExclusive
      else { continue }
      // A pattern's folders come and go, so its constant folder is used.
      let names = output.plan.recording.names
      folder = names.map { Pathname($0.folder) } ?? Pathname(path).directory
      recordings.append(RecordingGrowth(of: output, path, sink.format))
    }
  }

  /// Returns the remaining seconds. Reads the room once a second. The corresponding C function is `statvfs`.
  ///
  /// - Parameters:
  ///   - now: a clock in milliseconds.
  ///   - length: the recorded length in seconds.
  /// - Returns: nil if no file is recorded, or its growth is still unknown.
  func seconds(at now: Int64, recorded length: Double) -> Double? {
    for index in recordings.indices { recordings[index].look(recorded: length) }
    guard lookedAt == .min || now - lookedAt >= 1_000 else { return seconds }
    lookedAt = now
    seconds = free.flatMap { free in bytesPerSecond.map { free / $0 } }
    return seconds
  }

  /// The growth of all files in bytes per second. Nil if one is unknown.
  private var bytesPerSecond: Double? {
    let speeds = recordings.compactMap(\.bytesPerSecond)
    let sum = speeds.reduce(0, +)
    return speeds.count == recordings.count && sum > 0 ? sum : nil
  }

  /// The free room of the folder in bytes.
  var free: Double? {
    var status = statvfs()
    guard let folder, unsafe statvfs(folder.cString, &status) == 0 else { return nil }
    return Double(status.f_bavail) * Double(status.f_frsize)
  }
}

/// The growth of a recording: exact for samples of constant size, else estimated from the past growth.
struct RecordingGrowth {
  private enum Measure {
    /// Bytes per second.
    case known(Double)
    /// Estimated from the size of the file.
    case file(Pathname)
    /// Estimated from the last complete part. Its samples per channel are at this rate.
    case parts(SessionOutput, sampleRate: Int)
  }

  /// The recorded length and the size of the file after a growth.
  private struct Look {
    var seconds: Double
    var bytes: Int64
  }

  /// The shortest stretch in seconds: one write may take a second.
  private static let shortest = 2.0
  /// The distance of the first two looks, in seconds. Older growth is dropped.
  private static let window = 30.0
  private let measure: Measure
  /// The first two are at least half a minute apart, once there are two.
  private var looks: (first: Look, second: Look, last: Look)?

  init(of output: SessionOutput, _ path: String, _ format: StreamFormat) {
    let file = output.account.soundFileFormat
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

  /// Checks the growth of the file. Call it often.
  ///
  /// - Parameter length: the recorded length in seconds.
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

  /// Nil if still unknown.
  var bytesPerSecond: Double? {
    switch measure {
    case .known(let speed): return speed
    case .parts(let output, let sampleRate):
      guard let part = output.journal.lastPart, part.samplesPerChannel > 0,
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
