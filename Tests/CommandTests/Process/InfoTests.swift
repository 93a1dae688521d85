// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio info` on files built here byte by byte.
@Suite struct InfoTests {
  /// Returns a silent WAV file, two channels of 16 bits, whose header claims `claimed` samples per channel.
  private func wave(_ samplesPerChannel: Int, claimed: Int? = nil) -> [UInt8] {
    WaveBytes.file(
      [UInt8](repeating: 0, count: 4 * samplesPerChannel), channelCount: 2, sampleRate: 44_100,
      claimed: claimed.map { 4 * $0 })
  }

  @Test func forPeople() throws {
    let directory = TemporaryDirectory()
    try directory.write(wave(66_150), "a.wav")
    let run = try directory.run("info", "a.wav")
    #expect(
      run.outputText == """
        file:         a.wav
        container:    wav
        encoding:     s16, little-endian
        sample rate:  44100 Hz
        channels:     2
        duration:     0:00:01.500 (66150 samples per channel)
        bit rate:     1411 kbit/s

        """)
    run.expectExit(0)
  }

  @Test func forPrograms() throws {
    let directory = TemporaryDirectory()
    let name = "a\u{1B}\"ü.wav"
    try directory.write(wave(441, claimed: 882), name)
    let run = try directory.run("info", "--json", name)
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let objects = try #require(read as? [[String: Any]])
    let object = try #require(objects.first)
    #expect(objects.count == 1)
    #expect(object["path"] as? String == name)
    #expect(object["container"] as? String == "wav")
    #expect(object["encoding"] as? String == "s16")
    #expect(object["byteOrder"] as? String == "little")
    #expect(object["sampleRate"] as? Int == 44_100)
    #expect(object["channelCount"] as? Int == 2)
    #expect(object["bitRate"] as? Int == 1_411_200)
    #expect(object["samplesPerChannel"] as? Int == 441)
    #expect(object["duration"] as? Double == 0.01)
    #expect(object["claimedSamplesPerChannel"] as? Int == 882)
  }

  @Test func aMissingFileFailsAndTheOthersAreShown() throws {
    let directory = TemporaryDirectory()
    try directory.write(wave(1), "a.wav")
    let run = try directory.run("info", "no.wav", "a.wav")
    run.expectExit(1, "cannot open 'no.wav': no such file")
    #expect(run.outputText.hasPrefix("file:         a.wav\n"))
  }

  /// Any number of files, in the order of the list, including unreadable ones.
  @Test(arguments: ["1", "3"])
  func aList(jobs: String) throws {
    let directory = TemporaryDirectory()
    for number in 0..<40 { try directory.write(wave(441 + number), "\(number).wav") }
    try directory.write([1], "-")
    let names =
      (0..<40).map { "\($0).wav" } + ["no.wav", "-", #"{"source":"7.wav","id":"x"}"#, "{"]
    try directory.write(Array(names.joined(separator: "\n").utf8), "list")
    let run = try directory.run("info", "--list", "list", "--json-lines", "--jobs", jobs)
    #expect(run.ending == .exit(1))
    let objects = try run.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    try #require(objects.count == 44)
    for number in 0..<40 {
      #expect(objects[number]["path"] as? String == "\(number).wav")
      #expect(objects[number]["samplesPerChannel"] as? Int == 441 + number)
    }
    #expect(objects[40]["error"] as? String == "cannot open 'no.wav': no such file")
    #expect(objects[41]["path"] as? String == "./-")
    #expect(objects[42]["path"] as? String == "7.wav")
    #expect(objects[43]["path"] is NSNull)
    #expect(run.standardError.split(separator: "\n").count == 3)
    let array = try directory.run("info", "--list", "list", "--json", "--shard", "2/22")
    let read = try JSONSerialization.jsonObject(with: Data(array.standardOutput))
    #expect(
      (read as? [[String: Any]])?.compactMap { $0["path"] as? String } == ["1.wav", "23.wav"])
  }

  /// The files that are readable are summed up; the others are counted.
  @Test func totals() throws {
    let directory = TemporaryDirectory()
    for (name, count) in [("a.wav", 66_150), ("b.wav", 22_050)] {
      try directory.write(wave(count), name)
    }
    let mono = WaveBytes.file(
      [UInt8](repeating: 0, count: 8_000), channelCount: 1, sampleRate: 8_000)
    try directory.write(mono, "c.wav")
    let bytes = try ["a.wav", "b.wav", "c.wav"].reduce(0) { try $0 + directory.bytes($1).count }
    let run = try directory.run("info", "--totals", "a.wav", "no.wav", "b.wav", "c.wav")
    run.expectExit(1, "cannot open 'no.wav': no such file")
    #expect(
      run.outputText.hasSuffix(
        """

        files:        3
        failures:     1
        bytes:        \(bytes)
        duration:     0:00:02.500
        at 8000 Hz:   4000 samples per channel
        at 44100 Hz:  88200 samples per channel
        format:       wav, s16: 3 files

        """))
    let plain = try directory.run("info", "--json-lines", "a.wav", "no.wav", "b.wav", "c.wav")
    let summed = try directory.run(
      "info", "--json-lines", "--totals", "a.wav", "no.wav", "b.wav", "c.wav")
    #expect(summed.ending == .exit(1))
    let totals = """
      {"totals":{"files":3,"failures":1,"bytes":\(bytes),"duration":2.5,"withoutDuration":0,\
      "samples":[{"sampleRate":8000,"samplesPerChannel":4000},\
      {"sampleRate":44100,"samplesPerChannel":88200}],\
      "formats":[{"container":"wav","encoding":"s16","files":3}]}}

      """
    #expect(summed.outputText == plain.outputText + totals)
    let array = try directory.run("info", "--json", "--totals", "a.wav")
    let read = try JSONSerialization.jsonObject(with: Data(array.standardOutput))
    let objects = try #require(read as? [[String: Any]])
    #expect(objects.count == 2)
    #expect((objects[1]["totals"] as? [String: Any])?["files"] as? Int == 1)
    array.expectExit(0)
  }

  /// A file of this name is not standard input.
  @Test func standardInputHasNoSize() throws {
    let directory = TemporaryDirectory()
    try directory.write(wave(4_410), "a.wav")
    try directory.write([UInt8](repeating: 0, count: 99), "-")
    let run = try directory.pipeline("rawaudio info --totals - < a.wav")
    run.expectExit(0)
    #expect(run.outputText.contains("\nbytes:        0\n"))
  }
}
