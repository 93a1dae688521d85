// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Metadata {
  /// The origin of a recording: date and time of day, and the samples since midnight, with the zone; once more in GUANO.
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
    let offset = unsafe local.tm_gmtoff
    broadcast.description = BroadcastExtension.zoneText(offset)
    broadcast.originator = originator
    broadcast.originationDate =
      "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    broadcast.originationTime =
      "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
    let sinceMidnight = Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
    broadcast.timeReference = UInt64(
      sinceMidnight * perSecond + (time - time.dividedDown(by: perSecond) * perSecond))
    self.broadcast = broadcast
    let millionths = (time - time.dividedDown(by: perSecond) * perSecond) / 1_000
    guano = GuanoText(
      timestamp:
        "\(broadcast.originationDate)T\(broadcast.originationTime).\(millionths.padded(to: 6))"
        + CivilTime.zoneText(offset),
      sampleRate: Int(perSecond))
    // Writing the file converts this to the file's own rate.
    sampleRate = Int(perSecond)
  }
}
