// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import rawaudio

@Suite struct ListedFileTests {
  private func file(_ line: String) throws -> ListedFile {
    try ListedFile(line: Array(line.utf8)[...], number: 7)
  }

  @Test func aPath() throws {
    let file = try file("tone:440 {x}.wav ")
    #expect(file.source == "tone:440 {x}.wav ")
    #expect(file.number == 7)
    #expect(file.id == nil && file.output == nil && file.offset == nil && file.duration == nil)
  }

  @Test func anObject() throws {
    let file = try file(
      #"{"source": "a.wav", "id": "u1", "output": "o/a.flac", "offset": 1.5, "duration": 2, "text": "hi"}"#
    )
    #expect(file.source == "a.wav")
    #expect(file.id == "u1")
    #expect(file.output == "o/a.flac")
    #expect(file.offset == .time(.milliseconds(1_500)))
    #expect(file.duration == .time(.seconds(2)))
  }

  @Test func timesInEveryForm() throws {
    let file = try file(
      #"{"source": "a.wav", "start": "1:30.5", "end": "4410000S", "Bird": "wren"}"#)
    #expect(file.offset == .time(.milliseconds(90_500)))
    #expect(file.end == .samples(4_410_000))
    #expect(file.texts["bird"] == "wren")
  }

  @Test func asSpeechToolkitsWriteIt() throws {
    let file = try file(#"{"audio_filepath": "a.wav", "id": 12, "duration": null, "text": ["x"]}"#)
    #expect(file.source == "a.wav")
    #expect(file.id == "12")
    #expect(file.duration == nil)
  }

  @Test(arguments: [
    "{": "there is no name in quotes at byte 2",
    #"{"id": "x"}"#: "it has neither",
    #"{"source": 3}"#: "'source' is no text",
    #"{"source": ""}"#: "'source' is no text",
    #"{"source": "a", "duration": 0}"#: "'duration' is out of range",
    #"{"source": "a", "offset": -1}"#: "'offset' is out of range",
    #"{"source": "a", "offset": [1]}"#: "'offset' is no number of seconds",
    #"{"source": "a", "offset": "x"}"#: "'offset': 'x' is no time",
    #"{"source": "a", "begin": 1}"#: "'begin' is not understood; say 'start'",
    #"{"source": "a", "offset": 1, "start": 2}"#:
      "'offset' and 'start' mean the same; leave one out",
    #"{"source": "a", "start": 2, "end": 1}"#: "'end' is not behind 'start'",
    #"{"source": "a", "Output": "b"}"#: "'Output' is not understood; say 'output'",
    #"{"source": "a"} x"#: "something follows the value",
  ])
  func mistakes(line: String, reason: String) {
    let error = #expect(throws: AudioError.self) { try file(line) }
    #expect(error?.kind == .malformed)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test(arguments: ["/etc/x", "../x", "a/../../x", "a/.."])
  func anOutputOutside(output: String) throws {
    var file = ListedFile("a.wav", number: 1)
    file.output = output
    #expect(throws: AudioError.self) { try file.output(by: nil) }
  }

  /// Every item is in one shard, at any number of shards.
  @Test(arguments: [1, 2, 3, 7])
  func shards(count: Int) throws {
    let shards = try (1...count).map { try ValueSyntax.shard.parse("\($0)/\(count)") }
    for place in 0..<50 { #expect(shards.count { $0.holds(place) } == 1) }
    #expect(shards[0].holds(0))
  }

  @Test(arguments: ["0/3", "4/3", "3", "a/b", "1/0", "1/2/3", "-1/3", "1/"])
  func noShards(text: String) {
    #expect(
      rejection(of: text, by: .shard) == "a part of a list is written 3/8, the third of eight")
  }
}
