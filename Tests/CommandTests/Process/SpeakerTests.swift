// SPDX-License-Identifier: Apache-2.0
import Testing

/// One tone per loudspeaker, through every container and codec: ffmpeg hears each of this program's in its place, and
/// this program hears each of ffmpeg's.
@Suite struct SpeakerTests {
  private static let mine = "-f f32 -t wav -o -"
  private static let their = "-map 0:a:0 -c:a pcm_f32le -f wav -"

  private func run(_ line: String, in directory: TemporaryDirectory) throws -> [UInt8] {
    let run = try directory.pipeline(line)
    #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    return run.standardOutput
  }

  private func wave(_ count: Int) -> (speakers: [String], bytes: [UInt8]) {
    let speakers = SpeakerTones.speakers(SpeakerTones.usual[count] ?? 0)
    return (speakers, SpeakerTones.wave(speakers))
  }

  @Test(arguments: ["ogg", "opus", "flac", "aiff", "caf", "wav", "rf64"], [3, 4, 5, 6, 7, 8])
  func othersHearThemWhereTheyWere(_ container: String, _ count: Int) throws {
    let directory = TemporaryDirectory()
    let (speakers, bytes) = wave(count)
    try directory.write(bytes, "in.wav")
    _ = try run("rawaudio convert in.wav -t \(container) -o out.\(container)", in: directory)
    let heard = try run(
      "ffmpeg -nostdin -v error -i out.\(container) \(Self.their)", in: directory)
    #expect(SpeakerTones.places(inWave: heard) == SpeakerTones.atHome(speakers))
    // The way back, from a file and from a pipe.
    for source in ["out.\(container)", "- <out.\(container)", "- < <(cat out.\(container))"] {
      let back = try run("rawaudio convert \(source) \(Self.mine)", in: directory)
      #expect(SpeakerTones.places(inWave: back) == SpeakerTones.atHome(speakers), "\(source)")
      #expect(SpeakerTones.mask(inWave: back) == SpeakerTones.usual[count], "\(source)")
    }
  }

  /// These have no field for loudspeakers: channels keep the order of WAV.
  @Test(arguments: ["au", "w64"], [3, 6, 8])
  func whereNothingIsSaidTheOrderStays(_ container: String, _ count: Int) throws {
    let directory = TemporaryDirectory()
    let (speakers, bytes) = wave(count)
    try directory.write(bytes, "in.wav")
    let line = "rawaudio convert in.wav -o out.\(container)"
    guard try directory.pipeline(line).ending == .exit(0) else { return }
    let back = try run("rawaudio convert out.\(container) \(Self.mine)", in: directory)
    #expect(SpeakerTones.places(inWave: back) == SpeakerTones.atHome(speakers))
  }

  @Test(arguments: [
    ("libvorbis", "a.ogg", [3, 6, 8]), ("libopus -mapping_family 1", "a.opus", [3, 6, 8]),
    ("flac", "a.flac", [3, 6, 8]), ("pcm_s16be", "a.aiff", [3, 6, 8]),
    ("pcm_s16be", "a.caf", [3, 6, 8]),
    ("pcm_s16le", "a.w64", [3, 6, 8]), ("pcm_s16le", "a.wav", [3, 6, 8]), ("aac", "a.m4a", [6]),
    ("alac", "a.m4a", [6]), ("alac", "b.caf", [6]), ("ac3", "a.mkv", [6]),
    ("flac", "f.mkv", [3, 6, 8]), ("libopus -mapping_family 1", "a.webm", [3, 6, 8]),
    ("libvorbis", "v.mkv", [3, 6, 8]), ("pcm_s16le", "a.mov", [3, 6, 8]),
  ])
  func whatOthersWriteIsHeardAsTheyHearIt(
    _ codec: String, _ name: String, _ counts: [Int]
  ) throws {
    let directory = TemporaryDirectory()
    for count in counts {
      try directory.write(wave(count).bytes, "in.wav")
      _ = try run(
        "ffmpeg -nostdin -v error -y -i in.wav -c:a \(codec) \(name)", in: directory)
      let their = try run("ffmpeg -nostdin -v error -i \(name) \(Self.their)", in: directory)
      let mine = try run("rawaudio convert -q \(name) \(Self.mine)", in: directory)
      #expect(SpeakerTones.places(inWave: mine) == SpeakerTones.places(inWave: their), "\(count)")
      #expect(SpeakerTones.mask(inWave: mine).map { $0.nonzeroBitCount } == count)
    }
  }

  /// Without loudspeakers, no other order applies.
  @Test func discreteOpusStaysAsItIs() throws {
    let directory = TemporaryDirectory()
    let (speakers, bytes) = wave(6)
    try directory.write(bytes, "in.wav")
    _ = try run(
      "ffmpeg -nostdin -v error -i in.wav -c:a libopus -mapping_family 255 a.opus", in: directory)
    let mine = try run("rawaudio convert a.opus \(Self.mine)", in: directory)
    #expect(SpeakerTones.heard(inWave: mine) == speakers)
    #expect(SpeakerTones.mask(inWave: mine) == 0)
  }

  /// Apple's layouts have their own orders: L R Ls Rs C LFE, C L R Ls Rs LFE, and L C R Ls Rs LFE.
  @Test(arguments: [
    (122, ["FL", "FR", "BL", "BR", "FC", "LFE"]), (124, ["FC", "FL", "FR", "BL", "BR", "LFE"]),
    (123, ["FL", "FC", "FR", "BL", "BR", "LFE"]),
  ])
  func layoutsOfAppleHaveTheirOrders(_ tag: Int, _ stored: [String]) throws {
    let directory = TemporaryDirectory()
    // Stored in the tag's order under WAV's tag, which is then corrected.
    try directory.write(SpeakerTones.wave(stored, mask: 0x3F), "in.wav")
    _ = try run("rawaudio convert in.wav -o in.caf", in: directory)
    var bytes = try directory.bytes("in.caf")
    let layout = Array("chan".utf8) + [0, 0, 0, 0, 0, 0, 0, 12, 0, 1, 0, 0, 0, 0, 0, 0x3F]
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: layout) })
    bytes.replaceSubrange(place + 12..<place + 20, with: [0, UInt8(tag), 0, 6, 0, 0, 0, 0])
    try directory.write(bytes, "in.caf")
    for line in [
      "rawaudio convert in.caf \(Self.mine)",
      "rawaudio convert in.caf -o again.caf && rawaudio convert again.caf \(Self.mine)",
      "rawaudio convert --strip in.caf -o bare.caf && rawaudio convert bare.caf \(Self.mine)",
    ] {
      #expect(
        SpeakerTones.places(inWave: try run(line, in: directory))
          == SpeakerTones.atHome(["FL", "FR", "FC", "LFE", "BL", "BR"]), "\(line)")
    }
  }

  @Test(arguments: ["ogg", "opus", "flac", "aiff", "caf", "wav"])
  func channelsAreChosenByTheirNames(_ container: String) throws {
    let directory = TemporaryDirectory()
    try directory.write(wave(6).bytes, "in.wav")
    _ = try run("rawaudio convert in.wav -o out.\(container)", in: directory)
    let chosen = try run(
      "rawaudio convert out.\(container) --channel-map LFE,C,Rs,L \(Self.mine)", in: directory)
    #expect(SpeakerTones.heard(inWave: chosen) == ["LFE", "FC", "BR", "FL"])
  }

  /// The file states four channels: L R C Cs, which are not the usual ones.
  @Test func namesAreThoseOfTheFile() throws {
    let directory = TemporaryDirectory()
    try directory.write(SpeakerTones.wave(["FL", "FR", "FC", "BC"]), "in.wav")
    let chosen = try run("rawaudio convert in.wav --channel-map Cs,C \(Self.mine)", in: directory)
    #expect(SpeakerTones.heard(inWave: chosen) == ["BC", "FC"])
    let refused = try directory.pipeline("rawaudio convert in.wav --channel-map Lb -o x.wav")
    refused.expectExit(1, "cannot take channel 'Lb': the stream has 4 channels (L, R, C, Cs)")
  }

  /// 6.1 has its surround pair at the back in the file and at the sides in the codec.
  @Test func aPairAtTheBackTakesThePlaceAtTheSides() throws {
    let directory = TemporaryDirectory()
    let speakers = ["FL", "FR", "FC", "LFE", "BL", "BR", "BC"]
    try directory.write(SpeakerTones.wave(speakers), "in.wav")
    let heard = try run(
      "rawaudio convert -q in.wav -o a.ogg && ffmpeg -nostdin -v error -i a.ogg \(Self.their)",
      in: directory)
    #expect(SpeakerTones.places(inWave: heard) == SpeakerTones.atHome(speakers))
  }

  @Test(arguments: ["ogg", "opus"])
  func whatIsNoLowFrequencyIsNotStoredAsOne(_ container: String) throws {
    let directory = TemporaryDirectory()
    try directory.write(SpeakerTones.wave(["FL", "FR", "FC", "BL", "BR", "BC"]), "six.wav")
    let refused = try directory.pipeline("rawaudio convert six.wav -o out.\(container)")
    #expect(refused.ending == .exit(1))
    #expect(
      refused.standardError == """
        rawaudio: cannot store these 6 channels in '\(container)': it takes one of 6 for low frequencies (LFE), and \
        they have none; take flac, or choose channels with --channel-map

        """)
    try directory.write(SpeakerTones.wave(wave(6).speakers, mask: 0), "tracks.wav")
    let told = try directory.pipeline(
      "rawaudio convert tracks.wav -o out.\(container) --fail-on metadata")
    #expect(told.ending == .exit(2))
    #expect(
      told.standardError.hasPrefix(
        "rawaudio: 'out.\(container)' does not carry all of channel 4 (\(container) keeps its low "
          + "frequencies only, as those of an LFE)\n"), "\(told.standardError)")
  }
}
