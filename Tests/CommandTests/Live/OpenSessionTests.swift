// SPDX-License-Identifier: Apache-2.0
import Testing

/// Sessions with `--listen` and no client: observers hold streams back, devices record and play, and every file has the
/// requested length.
@Suite(.needsVirtualCard) struct OpenSessionTests {
  /// Publish and mixed both hold one second of the card's voice, its only samples.
  @Test(arguments: [
    "--local alsa:card --observe playback,latency=66150:exec=cat",
    "--local alsa:card --observe playback,mode=read-write,samples-per-call=88200:gain=0",
    "--local alsa:card --observe record,samples-per-call=88200:gain=0",
    "--local alsa:card --observe record,samples-per-call=8820:gain=0",
    "--local alsa:card --observe record,latency=24000:exec=cat",
    "--local alsa:card --playback alsa:card",
    "--local alsa:card --playback alsa:card --observe playback,latency=66150:exec=cat",
    "--local voice.wav --observe playback,latency=66150:exec=cat",
    "--local voice.wav --observe record,latency=24000:exec=cat",
    "--local voice.wav --playback alsa:card --observe playback,samples-per-call=24000:gain=0",
  ])
  func everyFileIsWhole(arguments: String) throws {
    var bench = try CardBench(["SPEED": "1"])
    // The card gives the number of each sample frame.
    bench.settings["LOG"] = nil
    let voice = (0..<48_000).flatMap { (index: Int) -> [UInt8] in
      [UInt8(index & 0xFF), UInt8((index >> 8) & 0x3F)]
    }
    try bench.write(
      WaveFile(voice, sampleRate: 48_000, channelCount: 1).bytes, to: "voice.wav")
    let run = try bench.start(
      ["session", "--listen", "s", "--publish", "me.wav", "--mixed", "mixed.wav", "-d", "1"]
        + ["-r", "48000"] + arguments.split(separator: " ").map(String.init)
    ).wait()
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let (me, mixed) = (try bench.wave("me.wav"), try bench.wave("mixed.wav"))
    #expect(me.samples.count == 48_000 * me.channelCount * me.bitsPerSample / 8)
    #expect(mixed.samples.count == 48_000 * mixed.channelCount * mixed.bitsPerSample / 8)
    #expect(me.samples == mixed.samples)
    if arguments.contains("voice") { #expect(me.samples == voice) }
    #expect(!bench.exists("s"))
  }
}
