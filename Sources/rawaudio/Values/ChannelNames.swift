// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The names of the files of a stream's channels. In a pattern, `{channel}` is the channel's number, and `{track}` its
/// name in the source, else its loudspeaker's, else its number.
struct ChannelNames: Sendable {
  private let numbers: [String]
  /// Of all channels, in order. No two are equal.
  let tracks: [String]

  static let fields = ["channel", "track"]

  /// Whether names, such as `take-L`, `take-R` and `take-C`, end in the usual loudspeakers of so many channels, in order.
  static func endInSpeakers(_ names: [String]) -> Bool {
    zip(names, ChannelMap.speakerNames(channelCount: names.count, layout: nil)).allSatisfy {
      name, speaker in
      let word = name.split { !$0.isLetter }.last ?? ""
      return speaker.map { word.lowercased() == $0.lowercased() } ?? false
    }
  }

  /// Whether a pattern has one of the fields.
  static func areIn(_ pattern: String) -> Bool {
    (try? NamePattern(pattern))?.fields.contains { fields.contains($0) } == true
  }

  /// - Parameters:
  ///   - given: the names in the source, in order; nil for a channel without one.
  ///   - layout: the loudspeakers; nil = the usual ones.
  init(given: [String?], layout: Metadata.ChannelLayout?) {
    let count = given.count
    let speakers = ChannelMap.speakerNames(channelCount: count, layout: layout)
    let digits = "\(count)".utf8.count
    numbers = (1...max(1, count)).map { Int($0).padded(to: digits) }
    var taken: Set<String> = []
    var tracks: [String] = []
    for (index, name) in given.enumerated() {
      var track = (name ?? speakers[index] ?? numbers[index]).asPartOfName
      if !taken.insert(track).inserted {
        track += "-\(numbers[index])"
        taken.insert(track)
      }
      tracks.append(track)
    }
    self.tracks = tracks
  }

  /// The name of a channel's file.
  ///
  /// - Parameters:
  ///   - channel: from 0.
  ///   - namesParts: whether the name stays a pattern, of the channel's parts.
  func path(_ pattern: String, channel: Int, namesParts: Bool) throws(AudioError) -> String {
    let names = try NamePattern(pattern).filled {
      $0 == "channel" ? numbers[channel] : $0 == "track" ? tracks[channel] : nil
    }
    return names.output(
      namesParts: namesParts, number: 0, in: .local, at: { RecordingClock.Moment.now.seconds })
  }
}
