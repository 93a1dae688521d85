// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Metadata {
  /// The origin of a recording: date and time of day, and the samples since midnight.
  ///
  /// - Parameters:
  ///   - time: the time of the first sample, in nanoseconds since 1970.
  ///   - originator: the recorder's name.
  ///   - civilTime: the zone of the time of day.
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
    // Writing the file converts this to the file's own rate.
    sampleRate = Int(perSecond)
  }
}

extension Metadata.BroadcastExtension {
  /// The time of the first sample, in nanoseconds since 1970; nil if it is not stated.
  ///
  /// Recorders count ``timeReference`` from midnight. If it lies before ``originationTime``, as a time code may, the
  /// latter counts.
  ///
  /// - Parameters:
  ///   - sampleRate: the rate of ``timeReference``, in hertz.
  ///   - civilTime: the zone of the time of day.
  public func recordingTime(at sampleRate: Int, in civilTime: CivilTime = .local) -> Int64? {
    // EBU Tech 3285 allows several separators.
    func numbers(_ text: String) -> [Int] { text.split { !$0.isNumber }.compactMap { Int($0) } }
    let (date, time) = (numbers(originationDate), numbers(originationTime))
    guard date.count == 3, sampleRate > 0 else { return nil }
    let stated = time.count == 3 ? time[0] * 3_600 + time[1] * 60 + time[2] : nil
    let perSecond: Int128 = 1_000_000_000
    let reference = Int128(timeReference) * perSecond / Int128(sampleRate)
    let elapsed: Int128
    // A section from inside a recording has a larger reference and the recording's time of day.
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
