import Foundation
import Testing

/// `rawaudio devices` on a machine whose only cards are virtual.
@Suite(.needsVirtualCard) struct DeviceListTests {
  @Test func forPeople() throws {
    let run = try CardBench().run("devices")
    #expect(run.standardError == "")
    #expect(run.ending == .exit(0))
    let entries = run.outputText.components(separatedBy: "\n\n")
    #expect(entries.first?.hasPrefix("default  Virtual card with conversions\n") == true)
    #expect(
      entries.contains(
        """
        cd  Virtual card (S16, 44100 Hz, stereo only)
          capture: 44100 Hz; 2 channels; s16
          playback: 44100 Hz; 2 channels; s16
        """))
    #expect(
      entries.contains(
        """
        studio  Virtual card (S32, 48000 Hz, 8 channels only)
          capture: 48000 Hz; 8 channels; s32
          playback: 48000 Hz; 8 channels; s32
        """))
  }

  @Test func forPrograms() throws {
    let bench = try CardBench(["FORMATS": "S24_LE FLOAT_LE", "RATES": "44056", "CHANNELS": "1 6"])
    let run = try bench.run("devices", "--json")
    #expect(run.standardError == "")
    #expect(run.ending == .exit(0))
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let devices = try #require(read as? [[String: Any]])
    let card = try #require(devices.first { $0["name"] as? String == "card" })
    #expect(card["description"] as? String == "Virtual card (most formats)")
    for direction in ["capture", "playback"] {
      let offer = try #require(card[direction] as? [String: Any])
      #expect(offer["status"] as? String == "available")
      #expect(offer["sampleRates"] as? [Int] == [44_056])
      #expect(offer["channelCounts"] as? [Int] == [1, 6])
      #expect(offer["encodings"] as? [String] == ["s24", "f32"])
    }
  }

  @Test func aDeviceInUseIsListedWithTheReason() throws {
    let run = try CardBench(["OPEN_ERRNO": "16"]).run("devices")
    #expect(run.standardError == "")
    #expect(run.ending == .exit(0))
    #expect(
      run.outputText.components(separatedBy: "\n\n").contains(
        """
        card  Virtual card (most formats)
          capture: not available: the device is in use (snd_pcm_open)
          playback: not available: the device is in use (snd_pcm_open)
        """))
  }
}
