// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// The time of the first sample by `bext`, or the tags that stand for it, else by GUANO or `iXML`. A zone that GUANO
  /// states counts for the other ones, too. Nil if nothing states it.
  ///
  /// - Parameter rate: of the file, in hertz.
  package func statedTime(at rate: Int) -> RecordedTime? {
    let timestamp = guano?.time
    let origin = (broadcast ?? originInTexts)?.statedTime(at: sampleRate ?? rate)
    guard var stated = origin else { return timestamp ?? notedTime }
    if stated.offset == nil, let timestamp, let offset = timestamp.offset {
      // Recorders write one of them in UTC, or in a zone of their own: a number of quarter hours apart.
      let (apart, quarter) = (stated.wall - timestamp.wall, 900 * TimeOfDay.perSecond)
      let steps = (2 * apart + quarter).dividedDown(by: 2 * quarter)
      if abs(apart - steps * quarter) < Self.mostApart, abs(steps) <= Self.mostQuarters {
        stated.offset = offset + Int(steps) * 900
      }
    }
    return stated
  }

  /// Zones are at most 26 hours apart.
  private static let mostQuarters: Int64 = 104

  /// The distance of two statements of one time, in nanoseconds.
  private static let mostApart = 2 * TimeOfDay.perSecond

  /// The origin in the tags of files that have no `bext` chunk, as ``withOriginAsTexts`` writes them.
  var originInTexts: BroadcastExtension? {
    guard let time = tags["ORIGINATION_TIME"].first,
      let date = tags["ORIGINATION_DATE"].first ?? tags["DATE"].first
    else { return nil }
    var origin = BroadcastExtension()
    origin.originationDate = date
    origin.originationTime = time
    origin.timeReference = tags["TIME_REFERENCE"].first.flatMap { UInt64($0) } ?? 0
    origin.description = tags["DESCRIPTION"].first ?? ""
    return origin
  }

  /// Changes the samples from midnight in those tags.
  mutating func changeTimeReference(_ change: (UInt64) -> UInt64) {
    guard let old = tags["TIME_REFERENCE"].first.flatMap({ UInt64($0) }) else { return }
    let new = change(old)
    guard new != old else { return }
    tags.removeAll { $0 == "TIME_REFERENCE" }
    tags.append("TIME_REFERENCE", "\(new)")
  }

  /// The time in the object BEXT of an iXML chunk.
  private var notedTime: RecordedTime? {
    for chunk in chunks where chunk.identifier == "iXML" {
      let notes = IXMLText(bytes: chunk.content)
      if let date = notes.text(of: "BWF_ORIGINATION_DATE"),
        let time = notes.text(of: "BWF_ORIGINATION_TIME"),
        let found = TimeOfDay("\(date)T\(time)")?.stated
      {
        return found
      }
    }
    return nil
  }
}
