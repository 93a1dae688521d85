// SPDX-License-Identifier: Apache-2.0
extension Metadata.BroadcastExtension {
  /// The time of the first sample, in nanoseconds since 1970; nil if it is not stated.
  ///
  /// Recorders count ``timeReference`` from midnight. If it lies before ``originationTime``, as a time code may, the
  /// latter counts. A zone in ``description``, as in `UTC+02:00`, counts before `civilTime`.
  ///
  /// - Parameters:
  ///   - sampleRate: the rate of ``timeReference``, in hertz.
  ///   - civilTime: the zone of the time of day.
  public func recordingTime(at sampleRate: Int, in civilTime: CivilTime = .local) -> Int64? {
    statedTime(at: sampleRate)?.time(in: civilTime)
  }

  func statedTime(at sampleRate: Int) -> RecordedTime? {
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
    guard
      let whole = CivilTime.utc(
        year: date[0], month: date[1], day: date[2], seconds: Int(elapsed / perSecond))
    else { return nil }
    return RecordedTime(
      wall: Int64(clamping: Int128(whole) * perSecond + elapsed % perSecond), offset: offset,
      isExact: true)
  }

  /// The text that states an offset from UTC: `Times are UTC+02:00`.
  ///
  /// No field of the chunk is for a zone, and this one is for texts.
  static func zoneText(_ offset: Int) -> String { "Times are UTC\(CivilTime.zoneText(offset))" }

  /// The offset from UTC that ``description`` states behind `UTC`, in seconds. Nil if it states none.
  var offset: Int? {
    var rest = description[...]
    while let start = rest.firstIndex(of: "U") {
      rest = rest[start...]
      if rest.hasPrefix("UTC"), let zone = TimeOfDay.zone(rest.dropFirst(3)) { return zone.offset }
      rest = rest.dropFirst()
    }
    return nil
  }
}
