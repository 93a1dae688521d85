// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import rawaudio

@Suite struct EndpointTests {
  private static let source = ValueSyntax<SourceEndpoint>.source(name: "source")

  @Test(arguments: [
    ("a.wav", SourceEndpoint.file("a.wav")), ("-", .standardInput),
    ("./tone:440", .file("./tone:440")),
    ("12:30.wav", .file("12:30.wav")), ("alsa:default", .device("default")),
    ("alsa:hw:1,0", .device("hw:1,0")), ("tone:440", .generated(.tone(440))),
    ("tone:0.5", .generated(.tone(0.5))), ("noise:white", .generated(.noise(.white))),
    ("noise:pink", .generated(.noise(.pink))),
    ("sweep:20-20000", .generated(.sweep(from: 20, to: 20_000))),
    ("sweep:8000-.5", .generated(.sweep(from: 8_000, to: 0.5))), ("silence:", .generated(.silence)),
  ])
  func sources(_ text: String, _ expected: SourceEndpoint) throws {
    #expect(try Self.source.parse(text) == expected)
  }

  @Test(arguments: [
    "", "alsa:", "tone:", "tone:0", "tone:-1", "tone:1e3", "tone:nan", "noise:", "noise:brown",
    "sweep:20", "sweep:20-", "sweep:-20-30", "silence:1", "null:",
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

  @Test func deviceNamesMayCarryTheirScheme() throws {
    #expect(try ValueSyntax<String>.deviceName.parse("hw:1,0") == "hw:1,0")
    #expect(try ValueSyntax<String>.deviceName.parse("alsa:hw:1,0") == "hw:1,0")
    #expect(rejection(of: "alsa:", by: ValueSyntax<String>.deviceName) != nil)
  }
}
