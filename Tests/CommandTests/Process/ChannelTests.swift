// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Channels into files and back, sums of channels with factors, and delays.
@Suite struct ChannelTests {
  private let directory = TemporaryDirectory()

  /// The bytes of a file's samples.
  private func data(_ name: String) throws -> [UInt8] {
    try directory.pipeline("rawaudio convert '\(name)' -t raw -o -").standardOutput
  }

  private func done(_ line: String) throws {
    let run = try directory.pipeline("rawaudio \(line)")
    #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    #expect(run.standardError == "", "\(line)")
  }

  /// Samples of `size` bytes, all bits of which vary; those of f32 have −0.0 and denormal numbers among them.
  private func noise(_ channelCount: Int, _ size: Int) -> [UInt8] {
    var noise = Noise(UInt64(channelCount * size))
    var bytes = noise.samples(channelCount * 500 * size, peak: 32_767).map {
      UInt8(truncatingIfNeeded: $0)
    }
    if size == 4 {
      for sample in 0..<channelCount * 500 {
        let top = 4 * sample + 3
        if sample % 7 == 0 {
          for place in top - 3..<top { bytes[place] = 0 }
          bytes[top] = 0x80
        }
        // No NaN and no infinity.
        bytes[top] &= 0xBE
      }
    }
    return bytes
  }

  /// A field recorder's names, in `iXML` and in the lines of `bext`, follow their channels; in a sum they are lost.
  @Test func namesOfAFieldRecorder() throws {
    let names = ["Boom", "Lav A", "Lav B"]
    let lines = names.enumerated().map { "sTRK\($0 + 1)=\($1)\r\n" }.joined()
    let text = Array("sTAKE=3\r\n\(lines)sNOTE=x\r\n".utf8)
    let tracks = names.map { "<TRACK><NAME>\($0)</NAME></TRACK>" }.joined()
    var file = WaveBytes.file(noise(3, 2), channelCount: 3)
    file = WaveBytes.file(
      file, with: "iXML", Array("<BWFXML><TRACK_LIST>\(tracks)</TRACK_LIST></BWFXML>".utf8))
    file = WaveBytes.file(file, with: "bext", text + [UInt8](repeating: 0, count: 602 - text.count))
    try directory.write(file, "poly.wav")
    func found(_ name: String) throws -> [[String]] {
      let text = String(decoding: try directory.bytes(name), as: UTF8.self)
      let lines = text.split { $0.isNewline || $0 == "\0" }.filter { $0.contains("TRK") }
      let inXML = text.split(separator: "<NAME>").dropFirst().map { $0.prefix { $0 != "<" } }
      return [lines.map { String($0.drop { $0 != "s" }) }, inXML.map { String($0) }]
    }
    try done("convert poly.wav --split channels -o 'one-{channel}.wav'")
    for (index, name) in names.enumerated() {
      #expect(try found("one-\(index + 1).wav") == [["sTRK1=\(name)"], [name]])
    }
    try done("convert poly.wav --channel-map 3,1 -o two.wav")
    #expect(try found("two.wav") == [["sTRK1=Lav B", "sTRK2=Boom"], ["Lav B", "Boom"]])
    try done("convert poly.wav --channel-map 2,2 -o twice.wav")
    #expect(try found("twice.wav") == [["sTRK1=Lav A", "sTRK2=Lav A"], ["Lav A", "Lav A"]])
    for options in ["-c 1", "--channel-map mix", "--channel-map 0.5*1+0.5*2,3"] {
      let run = try directory.pipeline(
        "rawaudio convert poly.wav \(options) --force --fail-on metadata -o sum.wav")
      run.expectExit(
        2, "'sum.wav' does not carry names of the channels (the channels are others now)")
      let isLeft = options.hasSuffix("3")
      #expect(try found("sum.wav") == (isLeft ? [["sTRK2=Lav B"], ["Lav B"]] : [[], []]))
    }
  }

  @Test(arguments: [(1, "s16"), (2, "s16"), (7, "s24"), (8, "f32"), (64, "s16")])
  func channelsGoIntoFilesAndBack(_ count: Int, _ encoding: String) throws {
    let size = ["s16": 2, "s24": 3, "f32": 4][encoding] ?? 0
    let bytes = noise(count, size)
    try directory.write(
      WaveBytes.file(bytes, bits: 8 * size, isFloat: encoding == "f32", channelCount: count),
      "poly.wav")
    try done("convert poly.wav --split channels -o 'one-{channel}.wav'")
    let digits = "\(count)".count
    let names = (1...count).map {
      "one-\(String(repeating: "0", count: digits - "\($0)".count))\($0).wav"
    }
    for (channel, name) in names.enumerated() {
      let expected = (0..<500).flatMap { (place: Int) -> ArraySlice<UInt8> in
        let start = (place * count + channel) * size
        return bytes[start..<start + size]
      }
      #expect(try data(name) == expected, "\(name)")
    }
    try done("mix \(names.joined(separator: " ")) --to-channels -o back.wav")
    #expect(try data("back.wav") == bytes)
  }

  @Test func namesOfTracksGoBothWays() throws {
    for (name, value) in [("boom", 100), ("lav & bob", 200), ("hall", 300)] {
      try directory.write(
        WaveBytes.file([Int16](repeating: Int16(value), count: 300)), "\(name).wav")
    }
    try directory.write(
      WaveBytes.file([Int16](repeating: 400, count: 600), channelCount: 2), "st.wav")
    try done("mix boom.wav 'lav & bob.wav' st.wav hall.wav --to-channels -o poly.wav")
    try done("convert poly.wav --split channels -o '{track}.wav' --force")
    for (name, value) in [
      ("boom", 100), ("lav & bob", 200), ("st-1", 400), ("st-2", 400), ("hall", 300),
    ] {
      let expected = WaveBytes.bytes([Int16](repeating: Int16(value), count: 300))
      #expect(try data("\(name).wav") == expected, "\(name)")
    }
    // Microphones are at no loudspeaker.
    #expect(try directory.run("info", "poly.wav").outputText.contains("layout:       discrete"))
    // The names follow channels that change places.
    try done("convert poly.wav --channel-map 2,1,3,4,5 -o other.wav")
    try done("convert other.wav --split channels -o 'o-{track}.wav'")
    for name in ["lav & bob", "boom"] {
      #expect(try data("o-\(name).wav") == data("\(name).wav"))
    }
  }

  @Test func loudspeakersKeepTheirPlaces() throws {
    try directory.write(WaveBytes.file([UInt8](noise(6, 2)), channelCount: 6), "a.wav")
    try done("convert a.wav --split channels -o 'a-{track}.wav'")
    try done("mix a-L.wav a-R.wav a-C.wav a-LFE.wav a-Lb.wav a-Rb.wav --to-channels -o b.wav")
    #expect(try data("b.wav") == data("a.wav"))
    #expect(try directory.run("info", "b.wav").outputText.contains("loudspeakers 0x3F"))
  }

  @Test func partsOfChannels() throws {
    let bytes = noise(3, 2)
    try directory.write(WaveBytes.file(bytes, channelCount: 3), "a.wav")
    try done("convert a.wav --split channels --split 1000S -o 'p-{channel}-%02d.wav'")
    try done("convert a.wav --split channels -o 'w-{channel}.wav'")
    for channel in 1...3 { #expect(try data("p-\(channel)-00.wav") == data("w-\(channel).wav")) }
  }

  /// The noise of each channel is its own.
  @Test func channelsAreDitheredIndependently() throws {
    try done("convert silence: -d 2000S -c 2 -f f32 -o a.wav")
    try done("convert a.wav -f s16 --dither tpdf --split channels -o 'd-{channel}.wav'")
    try done("convert a.wav -f s16 --dither tpdf -c 1 -o mono.wav")
    #expect(try data("d-1.wav") == data("mono.wav"))
    let (left, right) = (
      try WaveBytes.int16s(data("d-1.wav")), try WaveBytes.int16s(data("d-2.wav"))
    )
    let product = zip(left, right).reduce(0) { $0 + Int($1.0) * Int($1.1) }
    // 2000 products of independent noise of variance 1/4: four times its deviation of 11.
    #expect(left.contains { $0 != 0 } && abs(product) < 45, "\(product)")
  }

  @Test func manySourcesHaveTheirChannels() throws {
    for name in ["a", "b"] {
      try directory.write(WaveBytes.file(noise(2, 2), channelCount: 2), "\(name).wav")
    }
    let run = try directory.pipeline(
      "rawaudio convert a.wav b.wav --split channels -o 'out/{stem}-{channel}.wav' --results - --jobs 1"
    )
    run.expectExit(0)
    let rows = try run.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(
      rows.map { $0["output"] as? String } == [
        "out/a-1.wav", "out/a-2.wav", "out/b-1.wav", "out/b-2.wav",
      ])
    #expect(
      rows.allSatisfy { $0["channels"] as? Int == 1 && $0["samplesPerChannel"] as? Int == 500 })
    let sum = try directory.pipeline("rawaudio convert out/a-2.wav -t raw -o - | md5sum")
    #expect(rows[1]["md5"] as? String == String(sum.outputText.prefix(32)))
  }

  /// 4 and 6 have exact halves.
  @Test func aMatrix() throws {
    try directory.write(WaveBytes.file([4, 6, -8, 2, 100, -32_768], channelCount: 2), "a.wav")
    for (map, expected) in [
      ("0.5*L+0.5*R,0.5*L-0.5*R", [5, -1, -3, -5, -16_334, 16_434]),
      ("-1,0,2", [-4, 0, 6, 8, 0, 2, -100, 0, -32_768]), ("l-r", [-2, -10, 32_767]),
      ("+0.25*1+.25*1", [2, -4, 50]), ("mix,R", [5, 6, -3, 2, -16_334, -32_768]),
    ] as [(String, [Int16])] {
      let run = try directory.run("convert", "a.wav", "--channel-map", map, "-o", "-")
      #expect(WaveBytes.samples(run.standardOutput) == expected, "\(map)")
      let observed = try directory.run(
        "convert", "a.wav", "--observe", "record:channel-map=\(map)", "-o", "-")
      #expect(WaveBytes.samples(observed.standardOutput) == expected, "\(map)")
    }
  }

  @Test func delays() throws {
    try directory.write(WaveBytes.file([1, 2, 3, 4], channelCount: 2, sampleRate: 1_000), "a.wav")
    for (delays, expected) in [
      ("0,2S", [1, 0, 3, 0, 0, 2, 0, 4]), ("1ms,0", [0, 2, 1, 4, 3, 0]), ("0", [1, 2, 3, 4]),
      ("1ms", [0, 0, 1, 2, 3, 4]),
      ("1S,1S", [0, 0, 1, 2, 3, 4]),
    ] as [(String, [Int16])] {
      let run = try directory.run("convert", "a.wav", "--delay", delays, "-o", "-")
      #expect(WaveBytes.samples(run.standardOutput) == expected, "\(delays)")
      let observed = try directory.run(
        "convert", "a.wav", "--observe", "record:delay=\(delays)", "-o", "-")
      #expect(WaveBytes.samples(observed.standardOutput) == expected, "\(delays)")
    }
  }

  @Test(
    arguments: [
      (["--channel-map", "x*L"], 64, "'x' is no factor; a factor is a number, as in 0.5*L"),
      (["--channel-map", "L+"], 64, "'' is no channel; channels are numbers from 1"),
      (["--channel-map", "0.5*Q"], 64, "'Q' is no channel"),
      (["--channel-map", "0.5*3"], 1, "cannot take channel '3': the stream has 2 channels (L, R)"),
      (["--delay", "0,0,1"], 1, "cannot delay channel '3': the stream has 2 channels"),
      (["--delay", "0,99:00:00"], 1, "2 channels can be delayed by up to 33554432"),
      (["--delay", "-1"], 64, "it must not be negative"),
      (
        ["--split", "channels"], 64,
        "'--split channels' gives each channel a file; '--output <sink>' names them with {channel} or {track}"
      ),
    ] as [([String], Int32, String)])
  func mistakes(_ options: [String], _ code: Int32, _ text: String) throws {
    try directory.write(WaveBytes.file([4, 6], channelCount: 2), "a.wav")
    let run = try directory.run(["convert", "a.wav", "-o", "no.wav"] + options)
    #expect(run.ending == .exit(code))
    #expect(run.standardError.contains(text), "\(run.standardError)")
    #expect(throws: (any Error).self) { try directory.bytes("no.wav") }
  }

  @Test func mistakesOfJoining() throws {
    try directory.write(WaveBytes.file([4, 6], channelCount: 2), "a.wav")
    let few = try directory.run("mix", "a.wav", "a.wav", "--to-channels", "-c", "3", "-o", "no.wav")
    few.expectExit(1, "cannot mix to '3 channels': the sources have 4 of their own")
    let exists = try directory.pipeline(
      "touch one-2.wav; rawaudio convert a.wav --split channels -o 'one-{channel}.wav'")
    exists.expectExit(1, "cannot write to 'one-2.wav': it exists already; use --force to overwrite")
    #expect(throws: (any Error).self) { try directory.bytes("one-1.wav") }
  }
}
