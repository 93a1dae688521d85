import Glibc

extension Metadata {
  /// What recorders say of a recording: date and time where the machine is, and the samples since midnight.
  ///
  /// - Parameters:
  ///   - time: when the first sample was taken, in nanoseconds since 1970.
  ///   - originator: who recorded it.
  public init(recordedAt time: Int64, by originator: String) {
    self.init()
    let perSecond: Int64 = 1_000_000_000
    var seconds = time_t(time / perSecond)
    var local = unsafe tm()
    unsafe localtime_r(&seconds, &local)
    let (year, month, day) = unsafe (local.tm_year + 1_900, local.tm_mon + 1, local.tm_mday)
    let (hour, minute, second) = unsafe (local.tm_hour, local.tm_min, local.tm_sec)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    var broadcast = BroadcastExtension()
    broadcast.originator = originator
    broadcast.originationDate =
      "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    broadcast.originationTime =
      "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))"
    let sinceMidnight = Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
    broadcast.timeReference = UInt64(sinceMidnight * perSecond + time % perSecond)
    self.broadcast = broadcast
    // The file's own rate takes its place where the file is written.
    sampleRate = Int(perSecond)
  }
}
