// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Metadata {
  /// What recorders say of a recording: date and time of day, and the samples since midnight.
  ///
  /// - Parameters:
  ///   - time: when the first sample was taken, in nanoseconds since 1970.
  ///   - originator: who recorded it.
  ///   - civilTime: how the time of day is read.
  public init(
    recordedAt time: Int64, by originator: String, in civilTime: CivilTime = .local
  ) {
    self.init()
    let perSecond: Int64 = 1_000_000_000
    let local = unsafe civilTime.fields(at: Int(time.dividedDown(by: perSecond)))
    let (year, month, day) = unsafe (local.tm_year + 1_900, local.tm_mon + 1, local.tm_mday)
    let (hour, minute, second) = unsafe (local.tm_hour, local.tm_min, local.tm_sec)
    var broadcast = BroadcastExtension()
    broadcast.originator = originator
    broadcast.originationDate =
      "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    broadcast.originationTime =
      "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
    let sinceMidnight = Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
    broadcast.timeReference = UInt64(
      sinceMidnight * perSecond + (time - time.dividedDown(by: perSecond) * perSecond))
    self.broadcast = broadcast
    // The file's own rate takes its place where the file is written.
    sampleRate = Int(perSecond)
  }
}

extension Metadata.BroadcastExtension {
  /// When the first sample was taken, in nanoseconds since 1970; nil where that is not said.
  ///
  /// Recorders count ``timeReference`` from midnight; where it lies before ``originationTime``, as a time code may, the
  /// latter counts.
  ///
  /// - Parameters:
  ///   - sampleRate: at which ``timeReference`` counts, in hertz.
  ///   - civilTime: how the time of day was read.
  public func recordingTime(at sampleRate: Int, in civilTime: CivilTime = .local) -> Int64? {
    // Whatever separates the numbers: EBU Tech 3285 allows several signs.
    func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.compactMap { Int($0) } }
    let (date, time) = (numbers(originationDate), numbers(originationTime))
    guard date.count == 3, sampleRate > 0 else { return nil }
    let stated = time.count == 3 ? time[0] * 3_600 + time[1] * 60 + time[2] : nil
    let perSecond: Int128 = 1_000_000_000
    let reference = Int128(timeReference) * perSecond / Int128(sampleRate)
    let elapsed: Int128
    // What begins later than its file did has a larger reference and the same time.
    if reference < 2 * 86_400 * perSecond, reference > Int128((stated ?? 0) - 2) * perSecond {
      elapsed = reference
    } else if let stated {
      elapsed = Int128(stated) * perSecond
    } else {
      return nil
    }
    let seconds = Int(elapsed / perSecond)
    guard
      let whole = civilTime.time(year: date[0], month: date[1], day: date[2], seconds: seconds)
    else { return nil }
    return Int64(clamping: Int128(whole) * perSecond + elapsed % perSecond)
  }
}
