// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio devices` on a machine whose only cards are virtual.
@Suite(.needsVirtualCard) struct DeviceListTests {
  @Test func forPeople() throws {
    let run = try CardBench().run("devices")
    run.expectExit(0)
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
    #expect(entries.last?.contains("For capture use 'default': it is the default") == true)
    #expect(entries.last?.contains("\nFor playback use 'default': it is the default") == true)
  }

  /// libasound's message becomes one line; libasound itself prints nothing on the terminal.
  @Test func aConfigurationThatCannotBeRead() throws {
    let directory = TemporaryDirectory()
    let file = directory.file("broken.conf")
    try Data("pcm.x { type\n".utf8).write(to: file)
    let run = try runCommand("devices", environment: ["ALSA_CONFIG_PATH": file.path])
    let lines = run.standardError.split(separator: "\n")
    #expect(
      lines.last == """
        rawaudio: cannot read ALSA's configuration: _toplevel_:2:0:Unexpected char; \
        correct ~/.asoundrc, /etc/asound.conf or the files of ALSA_CONFIG_PATH
        """)
    // A missing sound card is reported first.
    #expect(lines.allSatisfy { $0.hasPrefix("rawaudio: ") })
    #expect(run.ending == .exit(1))
    let capture = try runCommand(
      "capture", "-d", "1", "-o", directory.file("take.wav").path,
      environment: ["ALSA_CONFIG_PATH": file.path])
    #expect(capture.standardError.hasPrefix("rawaudio: cannot open device 'default': "))
    #expect(capture.standardError.split(separator: "\n").count == 1)
    #expect(capture.ending == .exit(1))
  }

  @Test func forPrograms() throws {
    let bench = try CardBench(["FORMATS": "S24_LE FLOAT_LE", "RATES": "44056", "CHANNELS": "1 6"])
    let run = try bench.run("devices", "--json")
    run.expectExit(0)
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let devices = try #require(read as? [[String: Any]])
    let card = try #require(devices.first { $0["name"] as? String == "card" })
    #expect(card["description"] as? String == "Virtual card (most formats)")
    #expect(card["isDefault"] as? Bool == false)
    #expect(card["suggestedFor"] as? [String] == [])
    #expect(devices.first?["name"] as? String == "default")
    #expect(devices.first?["isDefault"] as? Bool == true)
    #expect(devices.first?["suggestedFor"] as? [String] == ["capture", "playback"])
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
    run.expectExit(0)
    #expect(
      run.outputText.components(separatedBy: "\n\n").contains(
        """
        card  Virtual card (most formats)
          capture: in use
          playback: in use
        """))
  }
}
