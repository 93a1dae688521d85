// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A file that says when it began.
struct RecordedFile {
  let path: String
  /// The file, or its name, says this.
  let stated: RecordedTime
  /// All moments that this may mean, in nanoseconds since 1970 and in order; at least one.
  let times: [Int64]
  /// The moment of the first sample, in nanoseconds since 1970: the first of ``times``, unless its neighbours say more.
  var time: Int64
  /// In samples per channel.
  let length: Int64
  let sampleRate: Int
  /// The zone of times without one.
  let civilTime: CivilTime

  /// - Throws: if neither the file nor its name says when it began.
  init(_ path: String, _ decoder: FileDecoder?, in civilTime: CivilTime) throws(AudioError) {
    self.path = path
    self.civilTime = civilTime
    let information = try FileInformation(path: path, decoder: decoder ?? .automatic)
    let length: Int64?
    let stated: RecordedTime?
    switch information {
    case .soundFile(let file):
      length = file.samplesPerChannel
      sampleRate = file.format.sampleRate
      stated = file.metadata.statedTime(at: sampleRate)
    case .decodedFile(let file):
      length = file.statedSamplesPerChannel
      sampleRate = file.format.sampleRate
      stated = file.metadata.statedTime(at: sampleRate)
    }
    let named = SourceEndpoint.file(path).namedTime
    guard let stated = stated?.inZone(of: named) ?? named, let length else {
      throw AudioError(
        .unavailable, cannot: "find a time of day in", path,
        because: "neither the file nor its name says when it began",
        advice: "use --start with a time from its beginning")
    }
    self.stated = stated
    self.length = length
    let times = stated.times(in: civilTime)
    time = times.first ?? stated.time(in: civilTime)
    self.times = times.isEmpty ? [time] : times
  }

  /// The moment behind the last sample, in nanoseconds since 1970.
  var end: Int64 { end(from: time) }

  /// ``end`` if the file began at another moment.
  func end(from time: Int64) -> Int64 { time + duration }

  /// In nanoseconds.
  var duration: Int64 { time(of: length) - time }

  var description: String { civilTime.description(of: time) }

  func failure(_ reason: String, advice: String? = nil) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "take this part of", path, because: reason, advice: advice)
  }

  /// The moment of a sample, in nanoseconds since 1970.
  func time(of sample: Int64) -> Int64 {
    time + Int64(clamping: Int128(sample) * 1_000_000_000 / Int128(max(1, sampleRate)))
  }

  /// Samples per channel from the first one of this file, to the nearest.
  func sample(at time: Int64) -> Int64 {
    let distance = Int128(time - self.time) * Int128(sampleRate) * 2 + 1_000_000_000
    let (whole, rest) = distance.quotientAndRemainder(dividingBy: 2_000_000_000)
    return Int64(clamping: rest < 0 ? whole - 1 : whole)
  }

  /// How far this file may begin from the end of another one and still follow it directly, in nanoseconds. A clock that
  /// counts seconds may be off by two, and the clock of a device may drift.
  func tolerance(behind other: RecordedFile) -> Int64 {
    let ofClock: Int64 = stated.isExact && other.stated.isExact ? 50_000_000 : 2_000_000_000
    return ofClock + other.duration / Self.mostDrift
  }

  /// 200 ppm.
  private static let mostDrift: Int64 = 5_000
}

extension EditRequest {
  /// The time at which the used part of a file begins, in seconds since 1970. Now if nothing says it.
  func beginning(of path: String?, _ decoder: FileDecoder?, in civilTime: CivilTime) -> Int {
    guard let path, let file = try? RecordedFile(path, decoder, in: civilTime) else {
      return RecordingClock.Moment.now.seconds
    }
    let first = clock.flatMap { try? $0.points(in: path, decoder).start } ?? start
    let sample: Int64 =
      switch first {
      case .fromStart(let time): time.samples(at: file.sampleRate)
      case .fromEnd(let time): max(0, file.length - time.samples(at: file.sampleRate))
      case nil: 0
      }
    return Int(file.time(of: sample) / 1_000_000_000)
  }
}

extension SourceEndpoint {
  /// The time that the name of a file states, to the second.
  var namedTime: RecordedTime? {
    filePath.flatMap {
      RecordedTime(inName: String(decoding: Pathname($0).name, as: UTF8.self))
    }
  }

  /// The time of day at which a file began, in seconds since midnight, in a zone.
  ///
  /// - Throws: if neither the file nor its name says it.
  func timeOfDay(
    _ decoder: FileDecoder?, in civilTime: CivilTime
  ) throws(AudioError) -> Double {
    guard let path = filePath else {
      throw AudioError(
        .unavailable, cannot: "find a time of day in", name,
        because: "only files say when they began")
    }
    return civilTime.secondsOfDay(at: try RecordedFile(path, decoder, in: civilTime).time)
  }
}
