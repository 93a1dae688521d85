// SPDX-License-Identifier: Apache-2.0
import TestProcess
import Testing

@testable import AudioDevices

@Suite struct SoundServerTests {
  init() { _ = AlsaConfiguration.directory }

  private static let pipeWire = "PLUGIN_NAME='ALSA <-> PipeWire PCM I/O Plugin'"

  @Test(
    arguments: [
      ("ALSA <-> PipeWire PCM I/O Plugin", SoundServer.pipeWire),
      ("ALSA <-> PulseAudio PCM I/O Plugin", .pulseAudio), ("ALSA <-> JACK PCM I/O Plugin", nil),
      ("Plug PCM: Slave: ALSA <-> PipeWire PCM I/O Plugin\n", .pipeWire),
      ("Hardware PCM card 0 'PipeWire' device 0 subdevice 0\n", nil), ("", nil),
    ] as [(String, SoundServer?)])
  func aServerIsKnownByItsPlugin(text: String, server: SoundServer?) {
    #expect(SoundServer(description: text) == server)
  }

  @Test(arguments: [
    (44_100, 2_048), (48_000, 2_048), (88_200, 4_096), (96_000, 4_096), (192_000, 8_192),
    (22_050, 1_024), (16_000, 683), (8_000, 342),
  ])
  func thePeriodIsAWholeQuantumOrMore(rate: Int, period: Int) {
    #expect(SoundServer.period(at: rate) == period)
    // The server computes the quantum in whole samples at its own rate.
    let own = rate.isMultiple(of: 11_025) ? 44_100 : 48_000
    #expect(period * own / rate >= 2_048)
    #expect((period - 1) * own / rate < 2_048)
  }

  @Test func whatIsNamedHolds() {
    var options = AlsaOptions()
    options.period = .time(.milliseconds(10))
    #expect(options.suited(to: .pipeWire, for: .playback, at: 48_000) == options)
    options = AlsaOptions()
    options.buffer = .samplesPerChannel(4_096)
    let suited = options.suited(to: .pipeWire, for: .playback, at: 48_000)
    #expect(suited.period == .samplesPerChannel(2_048))
    #expect(suited.buffer == options.buffer)
  }

  @Test func withoutAServerNothingChanges() {
    let options = AlsaOptions()
    #expect(options.suited(to: nil, for: .capture, at: 48_000) == options)
  }

  @Test(.enabled(if: VirtualCard.isBuilt), arguments: ["card:", "plug:\"card:"])
  func aCaptureFromAServerAsksForALongPeriod(device: String) throws {
    let end = device.hasPrefix("plug") ? "\"" : ""
    let source = AlsaSource(device: "\(device)SPEED=0,\(Self.pipeWire)\(end)")
    _ = try source.initialize(proposing: nil, wakeup: Wakeup())
    defer { source.dispose() }
    #expect(source.parameters?.periodSize == 2_048)
    let buffer = try #require(source.parameters?.bufferSize)
    #expect(buffer >= 10 * 2_048)
  }

  @Test(.enabled(if: VirtualCard.isBuilt))
  func aPlaybackOnAServerAsksForALongPeriod() throws {
    let sink = AlsaSink(device: VirtualCard.device(Self.pipeWire))
    let wish = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    _ = try sink.initialize(proposing: wish, wakeup: Wakeup())
    defer { sink.dispose() }
    #expect(sink.parameters?.periodSize == 2_048)
    #expect(sink.parameters?.bufferSize == 5 * 2_048)
  }

  @Test(.enabled(if: VirtualCard.isBuilt))
  func aCardIsNoServer() throws {
    let handle = try PCMHandle(opening: VirtualCard.device("GRAIN=1"), for: .capture)
    #expect(handle.soundServer() == nil)
  }
}
