// SPDX-License-Identifier: Apache-2.0
import AudioCore
import AudioFiles
import Testing

@testable import rawaudio

@Suite struct SessionParsingTests {
  private static let tone = (try? ToneEnd("440")).map { SourceEndpoint.end($0) } ?? .standardInput

  private func message(_ words: String...) -> String? {
    SessionCommand.refusal(of: words)
  }

  @Test(arguments: [
    ("a.wav", nil, nil, SourceEndpoint.file("a.wav")), ("-", nil, nil, .standardInput),
    ("alice=a.wav", nil, "alice", .file("a.wav")),
    ("room/alice=a=b.wav", "room", "alice", .file("a=b.wav")),
    ("x=-", nil, "x", .standardInput), ("x=tone:440", nil, "x", tone),
    ("alsa:hw:CARD=PCH,DEV=0", nil, nil, .device("hw:CARD=PCH,DEV=0")),
    ("m=alsa:hw:CARD=PCH", nil, "m", .device("hw:CARD=PCH")),
    ("./a=b.wav", nil, nil, .file("./a=b.wav")), ("/t/a=b.wav", nil, nil, .file("/t/a=b.wav")),
    ("../a=b.wav", nil, nil, .file("../a=b.wav")), ("dir/a.wav", nil, nil, .file("dir/a.wav")),
  ])
  func remotes(_ text: String, _ group: String?, _ id: String?, _ source: SourceEndpoint) throws {
    #expect(
      try ValueSyntax.namedSource.parse(text)
        == NamedSource(
          group: group.map { try SourceID($0) }, id: id.map { try SourceID($0) },
          endpoint: source))
  }

  @Test(
    arguments: [
      "al ice=a.wav":
        "'al ice' is no source id; ids are letters, digits, '_' and '-', and a path with '=' is written"
        + " with ./ in front",
      "room/alice=": "the name is empty",
      "=a.wav":
        "'' is no source id; ids are letters, digits, '_' and '-', and a path with '=' is written with"
        + " ./ in front",
      "a/b/c=a.wav": "'a/b/c' names no source; a path with '=' is written with ./ in front",
    ] as [String: String])
  func mistakenNames(_ text: String, _ reason: String) {
    #expect(rejection(of: text, by: .namedSource) == reason)
  }

  @Test func everything() throws {
    let command = try SessionCommand.parsed(
      "--remote", "room/anna=a.wav", "--shared", "m=m.wav", "--local", "mic.raw", "--remote",
      "b.wav", "--shared", "s.wav", "--playback", "p.wav", "--publish", "-", "--mixed",
      "alsa:hw:0", "-r", "44100", "-c", "2", "-f", "s24", "-t", "wav", "--force", "-d", "3",
      "--input-type", "raw", "--input-type", "wav", "--input-type", "wav", "--input-type", "wav",
      "--input-type", "wav", "--input-rate", "8000", "--input-channels", "1", "--input-format",
      "s16", "--observe", "before-mixing@2:meter")
    #expect(command.local?.source == .file("mic.raw"))
    #expect(command.local?.description.container == .raw)
    #expect(command.incoming.map(\.key.id.description) == ["anna", "2", "m", "shared"])
    #expect(command.incoming.map(\.isShared) == [false, false, true, true])
    #expect(command.incoming.map(\.key.group) == ["room", nil, nil, nil])
    #expect(command.incoming.allSatisfy { $0.description.container == .wav })
    #expect(Set(command.outputs.keys) == [.publish, .playback, .mixed])
    #expect(
      command.outputs[.playback]
        == OutputPlan(
          sink: .file("p.wav"), overwrites: true, type: .container(.wav), sampleRate: 44_100,
          channelCount: 2, encoding: EncodingName(encoding: .s24)))
    #expect(command.format.sampleRate == 44_100)
    #expect(command.format.channelCount == 2)
    #expect(command.duration == .time(.seconds(3)))
    #expect(command.observation.main == .record)
    #expect(command.observation.overwrites)
  }

  /// Automatic numbers skip numbers in use; an id may occur in several groups.
  @Test func sourcesWithoutANameGetAFreeNumber() throws {
    let command = try SessionCommand.parsed(
      "--remote", "2=a.wav", "--remote", "b.wav", "--remote", "c.wav", "--remote", "hall/2=d.wav",
      "--shared", "hall/3=e.wav", "--mixed", "x.wav")
    #expect(command.incoming.map(\.key.description) == ["2", "3", "4", "hall/2", "hall/3"])
  }

  @Test func whatHasNoEndOrNoWayOutIsRefused() {
    let labels = "'--remote <[group/][id=]source>' or '--shared <[group/][id=]source>'"
    #expect(message() == "A session needs a source: '--local <source>', \(labels)")
    #expect(
      message("--publish", "x.wav", "--remote", "a.wav")
        == "'--publish <sink>' needs '--local <source>'")
    #expect(
      message("--playback", "x.wav", "--local", "a.wav") == "'--playback <sink>' needs \(labels)")
    #expect(
      message("--remote", "hall/a=a.wav", "--remote", "hall/a=b.wav", "--mixed", "x.wav")
        == "Two sources have the id 'hall/a'; name each with ID=SOURCE")
    #expect(
      message("--remote", "local=a.wav", "--mixed", "x.wav")
        == "Two sources have the id 'local'; name each with ID=SOURCE")
    #expect(
      message("--shared", "a.wav", "--shared", "b.wav", "--mixed", "x.wav")
        == "Two sources have the id 'shared'; name each with ID=SOURCE")
    #expect(
      message("--local", "-", "--remote", "-", "--mixed", "x.wav")
        == "Standard input can be read by one source only")
    #expect(
      message("--local", "tone:440", "--mixed", "x.wav")
        == "A generated source never ends; say how long with '--duration <time>'")
    #expect(
      message("--local", "a.wav", "--mixed", "x.wav", "--publish", "./x.wav")?
        .hasPrefix("Two outputs go to ") == true)
    #expect(message("--local", "a.wav", "--mixed", "null:", "--publish", "null:") == nil)
    #expect(message("--local", "a.wav", "--mixed", "/dev/null", "--publish", "/dev/null") == nil)
    #expect(message("--local", "a.wav", "--observe", "record:gain=1") != nil)
    #expect(message("--local", "a.wav", "--observe", "mixed:events") == nil)
    #expect(
      message("--local", "a.wav", "--publish", "x.wav", "--observe", "playback:meter")?
        .hasSuffix("this session has no position playback; it has record and mixed") == true)
    #expect(
      message("--local", "a.wav", "--mixed", "x.wav", "--observe", "mixed:gain=1") == nil)
    #expect(
      message(
        "--remote", "a/b-c=a.wav", "--remote", "a-b/c=b.wav", "--observe",
        "before-mixing:tap=%s.wav") == "Two outputs go to 'a-b-c.wav'; give each its own")
  }

  @Test func programsMayJoin() throws {
    let command = try SessionCommand.parsed(
      "--listen", "s", "--until-empty", "--playback", "p.wav", "--observe",
      "before-mixing@anna,align=source:tap=a.wav", "--observe", "before-mixing:tap=%s.flac")
    #expect(command.socketPath == "s")
    #expect(command.endsWhenEmpty)
    #expect(
      command.observation.observers.map { ($0.kind as? TapKind)?.alignment } == [.source, nil])
    #expect(command.clientLimit == nil)
    let limited = try SessionCommand.parsed("--listen", "s", "--client-limit", "768000")
    #expect(limited.clientLimit == 768_000)
    // No output is needed: clients may observe.
    #expect(message("--listen", "s") == nil)
    #expect(message("--listen", "s", "--remote", "tone:440", "--mixed", "m.wav") == nil)
    #expect(
      message("--until-empty", "--remote", "a.wav", "--playback", "p.wav")
        == "'--until-empty' needs '--listen <socket>'")
    #expect(
      message("--client-limit", "48000", "--remote", "a.wav", "--playback", "p.wav")
        == "'--client-limit <count>' needs '--listen <socket>'")
    #expect(
      message("--listen", "s", "--client-limit", "999")?.contains(
        "a limit of samples a second is a whole number from 1000 to 49152000") == true)
    #expect(
      message("--listen", "s", "--observe", "before-mixing:tap=track.wav")?.contains(
        "every source that joins has a track of its own; put {source}, the source's id, into the name"
      )
        == true)
    #expect(
      message("--listen", "s", "--observe", "mixed,align=session:meter")?.contains(
        "align is a key of tap") == true)
  }
}
