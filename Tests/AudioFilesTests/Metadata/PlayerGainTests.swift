// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The gains that players apply, to and from Opus: 5 dB apart, or the difference from a stated reference.
@Suite struct PlayerGainTests {
  private func lines(_ stated: [String], forOpus: Bool) -> (tags: [String], lost: [String]) {
    var metadata = Metadata()
    for line in stated {
      let parts = line.split(separator: "=").map(String.init)
      metadata.tags.append(parts[0], parts[1])
    }
    let other = metadata.withGains(forOpus: forOpus)
    return (other.tags.entries.map { "\($0.key)=\($0.value)" }, other.omissions.map(\.name))
  }

  @Test(arguments: [
    // (-3.21 - 5) * 256 = -2101.76.
    (["REPLAYGAIN_TRACK_GAIN=-3.21 dB"], ["R128_TRACK_GAIN=-2102"], []),
    (["REPLAYGAIN_ALBUM_GAIN=+9.5", "TITLE=t"], ["TITLE=t", "R128_ALBUM_GAIN=1152"], []),
    (
      ["REPLAYGAIN_TRACK_GAIN=1 dB", "REPLAYGAIN_REFERENCE_LOUDNESS=-18.00 LUFS"],
      ["R128_TRACK_GAIN=-1024"], []
    ),
    (
      ["REPLAYGAIN_TRACK_GAIN=1 dB", "REPLAYGAIN_REFERENCE_LOUDNESS=89.0 dB"],
      ["R128_TRACK_GAIN=-1024"], []
    ),
    (
      ["REPLAYGAIN_TRACK_GAIN=1 dB", "REPLAYGAIN_REFERENCE_LOUDNESS=-23 LUFS"],
      ["R128_TRACK_GAIN=256"], []
    ),
    (
      ["REPLAYGAIN_TRACK_GAIN=1 dB", "R128_TRACK_GAIN=7", "REPLAYGAIN_TRACK_PEAK=0.9"],
      ["R128_TRACK_GAIN=7"], ["tag REPLAYGAIN_TRACK_PEAK"]
    ),
    (["REPLAYGAIN_TRACK_GAIN=loud"], [], ["tag REPLAYGAIN_TRACK_GAIN"]),
    (["REPLAYGAIN_ALBUM_GAIN=134 dB"], [], ["tag REPLAYGAIN_ALBUM_GAIN"]),
    (["REPLAYGAIN_TRACK_GAIN=nan dB"], [], ["tag REPLAYGAIN_TRACK_GAIN"]),
    (["REPLAYGAIN_ALBUM_PEAK=1", "TITLE=t"], ["TITLE=t"], ["tag REPLAYGAIN_ALBUM_PEAK"]),
  ])
  func opusHasItsOwn(_ stated: [String], _ expected: [String], _ lost: [String]) {
    let found = lines(stated, forOpus: true)
    #expect(found.tags == expected)
    #expect(found.lost == lost)
    #expect(lines(expected, forOpus: true) == (expected, []))
  }

  @Test(arguments: [
    (["R128_TRACK_GAIN=-2102"], ["REPLAYGAIN_TRACK_GAIN=-3.21 dB"], []),
    (["R128_ALBUM_GAIN=0", "TITLE=t"], ["TITLE=t", "REPLAYGAIN_ALBUM_GAIN=5.00 dB"], []),
    (["R128_TRACK_GAIN=-1281"], ["REPLAYGAIN_TRACK_GAIN=0.00 dB"], []),
    (["R128_TRACK_GAIN=-1296"], ["REPLAYGAIN_TRACK_GAIN=-0.06 dB"], []),
    (["R128_TRACK_GAIN=-32768"], ["REPLAYGAIN_TRACK_GAIN=-123.00 dB"], []),
    (["R128_TRACK_GAIN=32768"], [], ["tag R128_TRACK_GAIN"]),
    (
      ["R128_TRACK_GAIN=5", "REPLAYGAIN_TRACK_GAIN=1 dB", "REPLAYGAIN_TRACK_PEAK=1"],
      ["REPLAYGAIN_TRACK_GAIN=1 dB", "REPLAYGAIN_TRACK_PEAK=1"], []
    ),
    (
      ["R128_TRACK_GAIN=256", "REPLAYGAIN_REFERENCE_LOUDNESS=-23 LUFS"],
      ["REPLAYGAIN_REFERENCE_LOUDNESS=-23 LUFS", "REPLAYGAIN_TRACK_GAIN=1.00 dB"], []
    ),
  ])
  func othersHaveReplayGain(_ stated: [String], _ expected: [String], _ lost: [String]) {
    let found = lines(stated, forOpus: false)
    #expect(found.tags == expected)
    #expect(found.lost == lost)
  }

  /// Another rate keeps the loudness, if players can still play it; not the peaks, nor mp3gain's notes.
  @Test(arguments: [
    (44_100, 48_000, 1, true), (96_000, 44_100, 1, true), (8_000, 16_000, 1, true),
    (48_000, 22_050, 1, false), (48_000, 48_000, 1, nil), (48_000, 44_100, 2, false),
  ])
  func anotherRate(_ old: Int, _ new: Int, _ channels: Int, staysLoud: Bool?) throws {
    let keys = [
      "REPLAYGAIN_TRACK_GAIN", "R128_ALBUM_GAIN", "REPLAYGAIN_ALBUM_RANGE",
      "REPLAYGAIN_REFERENCE_LOUDNESS", "REPLAYGAIN_TRACK_PEAK", "MP3GAIN_UNDO", "MP3GAIN_MINMAX",
      "MP3GAIN_ALBUM_MINMAX",
    ]
    var metadata = Metadata()
    (metadata.sampleRate, metadata.channelCount) = (old, 1)
    for key in keys { metadata.tags.append(key, "1") }
    let format = try StreamFormat(sampleRate: new, channelCount: channels)
    let other = metadata.adapted(to: format, .s16)
    #expect(other.tags.keys == staysLoud.map { $0 ? Array(keys.prefix(4)) : [] } ?? keys)
    #expect(metadata.withoutMeasurements.tags.isEmpty)
  }
}
