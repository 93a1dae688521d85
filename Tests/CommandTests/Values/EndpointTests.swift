// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import rawaudio

@Suite struct EndpointTests {
  private static let source = ValueSyntax<SourceEndpoint>.source(name: "source")

  @Test(arguments: [
    ("a.wav", SourceEndpoint.file("a.wav")), ("-", .standardInput),
    ("./tone:440", .file("./tone:440")),
    ("12:30.wav", .file("12:30.wav")), ("alsa:default", .device("default")),
    ("alsa:hw:1,0", .device("hw:1,0")),
  ])
  func sources(_ text: String, _ expected: SourceEndpoint) throws {
    #expect(try Self.source.parse(text) == expected)
  }

  @Test(arguments: [
    ("tone:440", "tone", "tone of 440.0 Hz"), ("tone:0.5", "tone", "tone of 0.5 Hz"),
    ("tone:1.5k", "tone", "tone of 1500.0 Hz"), ("noise:white", "noise", "white noise"),
    ("noise:pink", "noise", "pink noise"),
    ("sweep:20-20000", "sweep", "sweep from 20.0 to 20000.0 Hz"),
    ("sweep:8000-.5", "sweep", "sweep from 8000.0 to 0.5 Hz"), ("silence:", "silence", "silence"),
  ])
  func generated(_ text: String, _ name: String, _ title: String) throws {
    let source = try Self.source.parse(text)
    #expect(source.name == name && source.title == title)
    #expect(source.isEndless && source.isRepeatable && source.isGenerated && !source.isLive)
    #expect(try Self.source.parse(text) == source)
    #expect(try Self.source.parse("noise:white,seed=9") != source)
  }

  @Test func aNoiseHasItsSeed() throws {
    #expect(try NoiseEnd("pink,seed=7").seed == 7)
    #expect(try NoiseEnd("pink").seed == nil)
  }

  /// The levels that help pages state, and the gain that changes them.
  @Test func generatedSignalsHaveTheirLevel() throws {
    let level = pow(10, -3.0 / 20)
    for (gain, factor) in [("", 1.0), (",gain=-20", 0.1), (",gain=6", pow(10, 0.3))] {
      #expect(abs(try ToneEnd("440" + gain).amplitude - level * factor) < 1e-12)
      #expect(abs(try SweepEnd("20-20000" + gain).amplitude - level * factor) < 1e-12)
      #expect(abs(try NoiseEnd("white" + gain + ",seed=7").amplitude - level * factor) < 1e-12)
      #expect(try NoiseEnd("white" + gain + ",seed=7").seed == 7)
    }
  }

  @Test func schemesAreUnique() {
    let sources = SourceEnds.all.map { $0.scheme }
    let sinks = SinkEnds.all.map { $0.scheme }
    #expect(Set(sources).count == sources.count && Set(sinks).count == sinks.count)
    for scheme in sources + sinks { #expect(scheme.hasSuffix(":")) }
  }

  @Test func aDeviceIsLive() throws {
    let device = try Self.source.parse("alsa:default")
    #expect(device.isLive && device.isEndless && !device.isRepeatable && !device.isGenerated)
    #expect(try ValueSyntax<SinkEndpoint>.sink.parse("alsa:default").isLive)
    #expect(!SinkEndpoint.null.isLive && SinkEndpoint.null.discards)
  }

  @Test(arguments: [
    "", "alsa:", "tone:", "tone:0", "tone:-1", "tone:1e3", "tone:nan", "noise:", "noise:brown",
    "tone:440,", "tone:440,gain=", "tone:440,gain=x", "tone:440,seed=1", "sweep:1-2,seed=1",
    "noise:pink,seed=1,seed=2", "sweep:20", "sweep:20-", "sweep:-20-30", "silence:1", "null:",
  ])
  func noSources(_ text: String) {
    #expect(rejection(of: text, by: Self.source) != nil)
  }

  @Test(arguments: [
    ("a.wav", SinkEndpoint.file("a.wav")), ("-", .standardOutput), ("null:", .null),
    ("alsa:plughw:1,0", .device("plughw:1,0")), ("./null:", .file("./null:")),
  ])
  func sinks(_ text: String, _ expected: SinkEndpoint) throws {
    #expect(try ValueSyntax<SinkEndpoint>.sink.parse(text) == expected)
  }

  @Test(arguments: ["", "alsa:", "tone:440", "silence:", "noise:white", "null:x"])
  func noSinks(_ text: String) {
    #expect(rejection(of: text, by: .sink) != nil)
  }

  /// An option that no end reads would be ignored.
  @Test(arguments: [
    (
      "capture -D jack:x --transport udp", "'--transport <way>' has no effect here; it is for rtsp:"
    ),
    ("capture --payload l16/48000", "'--payload <format>' has no effect here; it is for rtp:"),
    (
      "capture -D rtsp://cam/a --interface eth1",
      "'--interface <name>' has no effect here; it is for rtp:"
    ),
    (
      "capture -D rtp:a.sdp --period-size 10",
      "'--period-size <length>' has no effect here; it is for alsa:"
    ),
    ("play tone:440 -D null: --name x", "'--name <name>' has no effect here; it is for jack:"),
    (
      "session --remote tone:440 -d 1 --playback null: --jitter 10ms",
      "'--jitter <time>' has no effect here; it is for rtp: or rtsp:"
    ),
    ("capture --period-size 10 --buffer-size 40 --priority --rate-policy fail --ring-size 1s", nil),
    ("capture -D jack: --name x --rate-policy fail --ring-size 1s --on-xrun mark", nil),
    ("play tone:440 -D jack: --name x --buffer-size 40", nil),
    ("session --local alsa:x --remote rtp:a.sdp --publish null: --jitter 10ms --priority", nil),
  ])
  func deviceOptionsAreForTheEndsThatReadThem(line: String, expected: String?) {
    let words = line.split(separator: " ").map(String.init)
    let command: any Command.Type =
      switch words[0] {
      case "capture": CaptureCommand.self
      case "play": PlayCommand.self
      default: SessionCommand.self
      }
    #expect(command.refusal(of: Array(words.dropFirst())) == expected)
  }

  @Test func deviceNamesMayCarryTheirScheme() throws {
    for name in ["hw:1,0", "alsa:hw:1,0"] {
      #expect(try ValueSyntax.recordingDevice.parse(name) == SourceEndpoint.device("hw:1,0"))
      #expect(try ValueSyntax.playingDevice.parse(name) == SinkEndpoint.device("hw:1,0"))
    }
    // Only a live end is a device.
    #expect(try ValueSyntax.recordingDevice.parse("tone:440") == SourceEndpoint.device("tone:440"))
    #expect(try ValueSyntax.playingDevice.parse("null:") == SinkEndpoint.null)
    #expect(rejection(of: "alsa:", by: ValueSyntax.recordingDevice) != nil)
    #expect(rejection(of: "alsa:", by: ValueSyntax.playingDevice) != nil)
  }
}
